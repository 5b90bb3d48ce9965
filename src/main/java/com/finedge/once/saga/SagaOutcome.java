package com.finedge.once.saga;

/** How a saga has ended. */
public enum SagaOutcome {
    /** All steps are done. */
    COMPLETED,
    /** Every step is undone, or was never done; each undo is confirmed. */
    CANCELLED
}
