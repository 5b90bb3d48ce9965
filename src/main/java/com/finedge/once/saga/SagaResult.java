package com.finedge.once.saga;

/** What became of a message to a saga; in every case it is done with. */
public sealed interface SagaResult {

    /** It was decided about. */
    record Decided(String sagaType, Disposition disposition) implements SagaResult {}

    /** This very message has been received before. */
    record Repeated() implements SagaResult {}

    /** There is no such saga; the message is kept. */
    record Orphan() implements SagaResult {}

    /**
     * It can't start a saga, nor ever will.
     *
     * @param reason what is missing, without values of the message
     */
    record Impossible(String reason) implements SagaResult {}
}
