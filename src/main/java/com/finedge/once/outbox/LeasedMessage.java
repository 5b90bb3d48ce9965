package com.finedge.once.outbox;

import java.time.Instant;

/**
 * A message that a relay may send until its lease ends.
 *
 * @param row the store's own number of it
 * @param version grows by one at every lease, so that a relay that comes too late changes nothing
 * @param failures how often its queue has refused it
 * @param addedAt when it was added
 */
public record LeasedMessage(long row, long version, OutboxMessage message, int failures, Instant addedAt) {

    /** The same lease, of the message with that attribute. */
    public LeasedMessage with(String name, String value) {
        return new LeasedMessage(row, version, message.with(name, value), failures, addedAt);
    }

    /** Whether a relay had leased it before, so that it may have been sent already. */
    public boolean isResend() {
        return version > 1;
    }
}
