package com.finedge.once.outbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Where a relay finds the messages; each method is a short transaction of its own.
 *
 * <p>Times are the store's: the clocks of several relays needn't agree.
 */
public interface OutboxStore {

    /**
     * Leases messages that are due and held by no one, the longest due first. Of an order key only the first message that
     * isn't sent yet is leased. No message is passed over because its transaction ended late.
     *
     * @param most at least 1
     * @param lease for how long they are kept from other relays
     */
    List<LeasedMessage> lease(UUID owner, int most, Duration lease);

    /**
     * Records that these were sent.
     *
     * @param sent the leased messages with the queue's ids of them
     * @return how many this owner still held; what it didn't is left as its successor has it
     */
    int sent(UUID owner, Map<LeasedMessage, String> sent);

    /**
     * Gives a message back, to be due again after the delay.
     *
     * @param failures what to count as refusals of its queue from now on
     * @return whether this owner still held it
     */
    boolean giveBack(UUID owner, LeasedMessage message, String reason, int failures, Duration delay);

    /**
     * Parks a message: it is sent no more until it is released, nor are those of its order key that come after it.
     *
     * @return whether this owner still held it
     */
    boolean park(UUID owner, LeasedMessage message, String reason);

    /**
     * Makes a parked message due again, its refusals forgotten.
     *
     * @return whether there was a parked message of that id
     */
    boolean release(String messageId);

    /** The messages that are parked, the oldest first, no more than {@code most}. */
    List<ParkedMessage> parked(int most);

    /** What is still to be sent. */
    OutboxBacklog backlog();

    /**
     * Forgets messages that were sent before so long.
     *
     * @param most how many at once, so that no lock is held for long
     * @return how many it forgot
     */
    int purge(Duration sentBefore, int most);
}
