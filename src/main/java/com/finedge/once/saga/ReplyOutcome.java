package com.finedge.once.saga;

/** What a participant answers, in one word. */
public enum ReplyOutcome {
    /** It is done, or undone, or there was nothing to undo. */
    SUCCEEDED,
    /** It won't be done; recorded, and never answered otherwise later. */
    REFUSED,
    /** It was not done this time. */
    FAILED_TRANSIENT,
    /** It was undone before it was done, so it will never be done. */
    TOMBSTONED,
    /** It is done and can't be undone; for a pivot only. */
    CANNOT_UNDO
}
