package com.finedge.once.camel;

import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message, kept apart from the exchange's headers and body, which any step may change or remove.
 *
 * @param queue the name of the queue it came from
 * @param id the queue's id of the message, the same for all its deliveries
 * @param receiptHandle what this delivery is deleted or hidden with
 * @param body as it came, to the byte
 * @param traceparent the sender's trace context, if it is well-formed
 */
public record ReceivedMessage(
        String queue,
        String id,
        String receiptHandle,
        String body,
        @Nullable String traceparent) {

    /** Without body and receipt: this may be logged. */
    @Override
    public String toString() {
        return "message " + id + " of " + queue;
    }
}
