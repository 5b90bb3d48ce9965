package com.finedge.once.inbox;

import java.time.Duration;
import java.util.function.Supplier;

/** Remembers which messages have changed local state, in the same transaction as the change. */
public interface Inbox {

    /**
     * Does the work of a message, unless it was done before. Message and work commit together or not at all; within a
     * transaction of the caller's they join it. A second delivery at the same time waits for the first to end.
     *
     * @param consumer names who does the work, 1 to 64 characters: each consumer does it once
     * @param messageId what names the message however often it is sent, 1 to 256 characters; an id of its sender's, not
     *     of its queue's
     * @param work runs inside the transaction; what it throws rolls it back, and the message counts as not received
     */
    <T> InboxResult<T> receive(String consumer, String messageId, Supplier<T> work);

    /**
     * Forgets messages received before so long.
     *
     * @param receivedBefore longer than a message can still be on its way
     * @param most how many at once, so that no lock is held for long
     * @return how many it forgot
     */
    int purge(Duration receivedBefore, int most);
}
