package com.finedge.once.saga;

/** What is known of a step's undo. */
public enum UndoStatus {
    /** It was never asked for. */
    NONE,
    /** It was asked for, and isn't confirmed. */
    PENDING,
    /** It is confirmed. */
    DONE,
    /** Somebody has undone the step by hand and given evidence of it. */
    MANUAL,
    /** The pivot can't be undone: it stands. */
    REFUSED
}
