package com.finedge.once.saga;

/** What may become of a step once it was asked for; the steps of a saga stand in this order. */
public enum StepKind {
    /** Can be undone, and is when the saga turns back. */
    COMPENSATABLE,
    /** The one step that decides: once it is done the saga only goes forward, and it may refuse to be undone. */
    PIVOT,
    /** Comes after the decision, is never undone, and is sent again until it succeeds. */
    RETRIABLE
}
