package com.finedge.once.saga;

/** What became of a step's action; it is recorded and never changes. */
public sealed interface ActionResult {

    /**
     * It is done.
     *
     * @param type of the message that says so, such as {@code PaymentTaken.v1}
     */
    record Done(String type, SagaData data) implements ActionResult {}

    /**
     * It won't be done, for a reason of the business. What is broken and may work later is an exception.
     *
     * @param type of the message that says so, such as {@code PaymentDeclined.v1}
     */
    record Refused(String type, SagaData data) implements ActionResult {}
}
