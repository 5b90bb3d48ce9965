package com.finedge.once.saga;

/** What is known of a step's action. */
public enum ForwardStatus {
    /** It was never asked for. */
    NOT_STARTED,
    /** It was asked for, and the answer is awaited. */
    PENDING,
    /** It was done. */
    SUCCEEDED,
    /** It was refused, and not done. */
    FAILED,
    /** It was given up, and nobody knows whether it was done: it is undone. */
    IN_DOUBT
}
