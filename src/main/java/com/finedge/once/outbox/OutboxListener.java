package com.finedge.once.outbox;

/** Is told what happens to the messages of an outbox, on the thread that does it; must not throw and not block. */
public interface OutboxListener {

    /** Listens to nothing. */
    OutboxListener NONE = new OutboxListener() {};

    /** Messages are about to be sent a second time or more: after a failure, or after a relay that vanished. */
    default void resending(int count) {}

    /** Messages were sent and marked. */
    default void sent(int count) {}

    /** Messages were sent, but another relay had taken them over meanwhile and will have sent them too. */
    default void leaseLost(int count) {}

    /** A message wasn't taken and will be tried again. */
    default void failed(LeasedMessage message, String reason) {}

    /** A message was parked. */
    default void parked(LeasedMessage message, String reason) {}

    /** The backlog was measured. */
    default void measured(OutboxBacklog backlog) {}
}
