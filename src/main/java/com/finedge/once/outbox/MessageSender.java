package com.finedge.once.outbox;

import java.util.List;
import java.util.Map;

/** Sends messages to their queues. */
public interface MessageSender {

    /**
     * Sends these messages, in as few calls as can be, and waits for the answers.
     *
     * @param messages in whatever order and for whatever queues
     * @return a result for each message, by its row; never less. Throws nothing for a queue that fails
     */
    Map<Long, SendResult> send(List<LeasedMessage> messages);
}
