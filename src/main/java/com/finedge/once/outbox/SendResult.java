package com.finedge.once.outbox;

/** What became of one message of those that were sent together. */
public sealed interface SendResult {

    /**
     * The queue has it.
     *
     * @param messageId the queue's own id of it, another one at every sending
     */
    record Sent(String messageId) implements SendResult {}

    /** The queue will never take it. */
    record Impossible(String reason) implements SendResult {}

    /** The queue didn't take it this time. */
    record Refused(String reason) implements SendResult {}

    /** The queue wasn't reached or doesn't say: nothing is known against the message itself. */
    record Unreached(String reason) implements SendResult {}
}
