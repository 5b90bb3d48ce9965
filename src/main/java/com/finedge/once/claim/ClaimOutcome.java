package com.finedge.once.claim;

/** The answers to the question whether this delivery may perform the effect. */
public enum ClaimOutcome {
    /** It may: nobody did, or the one who tried lost the lease or gave it back. */
    ACQUIRED,
    /** The effect is recorded already. */
    DUPLICATE_DONE,
    /** Somebody else is at it, until the lease ends. */
    DUPLICATE_IN_PROGRESS,
    /** It was given up for good. */
    DUPLICATE_FAILED,
    /** The key is claimed for other content. */
    CONFLICT
}
