package com.finedge.once.inbox;

/** Is told what became of messages, when it is certain: after the commit. */
@FunctionalInterface
public interface InboxListener {

    /**
     * A message was received.
     *
     * @param consumer who does the work
     * @param isNew whether its work was done now, and not before
     */
    void received(String consumer, boolean isNew);
}
