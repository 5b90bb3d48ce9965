package com.finedge.once.saga;

/** What somebody outside this database has answered about a step. Whoever can't say for certain is an exception. */
public sealed interface OutsideAnswer {

    /**
     * It is done there; of an undo, it is undone there.
     *
     * @param data what the step's routes need of it, such as a reference
     */
    record Done(SagaData data) implements OutsideAnswer {}

    /**
     * It isn't done there and won't be, for a reason of the business; of an undo, it stands.
     *
     * @param data what the step's routes need of it, such as a code
     */
    record Refused(SagaData data) implements OutsideAnswer {}

    /** Nothing is known there under this key. */
    record Nothing() implements OutsideAnswer {}
}
