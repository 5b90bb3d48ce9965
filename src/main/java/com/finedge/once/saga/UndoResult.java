package com.finedge.once.saga;

/** What became of the undo of a step that was done; it is recorded and never changes. */
public sealed interface UndoResult {

    /**
     * It is undone.
     *
     * @param type of the message that says so, such as {@code PaymentRefunded.v1}
     */
    record Undone(String type, SagaData data) implements UndoResult {}

    /**
     * It can't be undone any more; for a pivot only.
     *
     * @param type of the message that says so, such as {@code ShipmentAlreadyDispatched.v1}
     */
    record CannotUndo(String type, SagaData data) implements UndoResult {}
}
