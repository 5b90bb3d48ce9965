package com.finedge.once.outbox;

import java.util.List;

/** Takes messages into the caller's transaction: they are sent if it commits, and never if it doesn't. */
public interface Outbox {

    /**
     * Stores a message to be sent after the commit.
     *
     * <p>It is sent at least once. It may be sent again after a crash, as the same message with the same id.
     *
     * @throws IllegalStateException outside a transaction: the message could be sent without the data it speaks of
     */
    void add(OutboxMessage message);

    /** The same for several messages, in their order. */
    default void addAll(List<OutboxMessage> messages) {
        messages.forEach(this::add);
    }
}
