package com.finedge.once.deadletter;

/** What came of reopening a claim. */
public enum ReopenResult {
    /** It is claimable again; its message must still be sent. */
    REOPENED,
    /** There is no such claim. */
    NOT_FOUND,
    /** It hasn't failed. */
    NOT_FAILED
}
