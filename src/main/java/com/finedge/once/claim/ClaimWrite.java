package com.finedge.once.claim;

/** What came of a write by the owner of a claim. */
public enum ClaimWrite {
    /** It is stored (also when an earlier try of the same write had already stored it). */
    WRITTEN,
    /** The claim is no longer the caller's; nothing was overwritten and nothing may be retried. */
    LEASE_LOST
}
