package com.finedge.once.claim;

/** Where a claim stands. */
public enum ClaimState {
    /** Somebody performs the effect until the lease ends; after that anybody may. */
    IN_PROGRESS,
    /** The effect is recorded; every further delivery is a duplicate. Final. */
    DONE,
    /** The effect will not happen unless an operator reopens the claim. */
    FAILED
}
