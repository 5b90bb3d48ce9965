package com.finedge.once.outbox;

import com.finedge.once.outbox.SendResult.Impossible;
import com.finedge.once.outbox.SendResult.Refused;
import com.finedge.once.outbox.SendResult.Sent;
import com.finedge.once.outbox.SendResult.Unreached;
import com.finedge.once.retry.BackOff;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings messages from the outbox to their queues; any number of relays work side by side, in one process or in many.
 *
 * <ol>
 *   <li>Lease what is due, in a short transaction of its own, under an owner that is new for every round.
 *   <li>Send it, outside any transaction.
 *   <li>Mark each message by its own answer, wherever this owner still holds it.
 * </ol>
 *
 * <p>A crash between the second and the third leaves messages that were sent and not marked: they are sent again when
 * their lease ends, with the same id.
 */
public final class Relay {

    private static final Logger log = LoggerFactory.getLogger(Relay.class);

    private static final int MOST_ROUNDS = Integer.MAX_VALUE;

    private final OutboxStore store;
    private final MessageSender sender;
    private final int most;
    private final Duration lease;
    private final int maxAttempts;
    private final BackOff backOff;
    private final Supplier<UUID> owners;
    private final RandomGenerator random;
    private final OutboxListener listener;
    private final Semaphore rounds = new Semaphore(MOST_ROUNDS);
    private volatile boolean stopping;

    /**
     * @param most how many messages a round takes at once, at least 1
     * @param lease how long a round may take, longer than the sender ever does; what a crash leaves behind waits for it
     * @param maxAttempts how often a queue may refuse a message before it is parked, at least 1; a queue that can't be
     *     reached refuses nothing
     */
    public Relay(
            OutboxStore store,
            MessageSender sender,
            int most,
            Duration lease,
            int maxAttempts,
            BackOff backOff,
            Supplier<UUID> owners,
            RandomGenerator random,
            OutboxListener listener) {
        this.store = store;
        this.sender = sender;
        this.most = most;
        this.lease = lease;
        this.maxAttempts = maxAttempts;
        this.backOff = backOff;
        this.owners = owners;
        this.random = random;
        this.listener = listener;
    }

    /**
     * Sends what is due, round after round, until nothing is or {@link #stop} is called.
     *
     * @param more is run when there is more to do than one round can take at once, so that another relay may help
     */
    public void relay(Runnable more) {
        while (rounds.tryAcquire()) {
            try {
                if (stopping || !round(more)) {
                    return;
                }
            } finally {
                rounds.release();
            }
        }
    }

    /** Lets no round begin any more and waits for those that run: what they have sent must still be marked. */
    public void stop(Duration longest) throws InterruptedException {
        stopping = true;
        if (!rounds.tryAcquire(MOST_ROUNDS, longest.toMillis(), TimeUnit.MILLISECONDS)) {
            log.warn("The relay stops in the middle of a round: its messages will be sent again when their lease ends");
        }
    }

    /** Whether it has sent anything, so that another round may find what had to wait for this one. */
    private boolean round(Runnable more) {
        UUID owner = owners.get();
        List<LeasedMessage> leased = store.lease(owner, most, lease);
        if (leased.isEmpty()) {
            return false;
        }
        if (leased.size() == most) {
            more.run();
        }
        int resends = (int) leased.stream().filter(LeasedMessage::isResend).count();
        if (resends > 0) {
            listener.resending(resends);
        }
        return mark(owner, leased, sender.send(leased)) > 0;
    }

    private int mark(UUID owner, List<LeasedMessage> leased, Map<Long, SendResult> results) {
        Map<LeasedMessage, String> sent = new LinkedHashMap<>();
        for (LeasedMessage message : leased) {
            switch (results.getOrDefault(message.row(), new Unreached("no answer for this message"))) {
                case Sent(String messageId) -> sent.put(message, messageId);
                case Impossible(String reason) -> park(owner, message, reason);
                case Refused(String reason) -> {
                    if (message.failures() + 1 >= maxAttempts) {
                        park(owner, message, reason);
                    } else {
                        giveBack(owner, message, reason, message.failures() + 1, message.failures() + 1L);
                    }
                }
                // By its leases, not by its failures: it has none, and yet must wait longer each time.
                case Unreached(String reason) ->
                    giveBack(owner, message, reason, message.failures(), message.version());
            }
        }
        if (!sent.isEmpty()) {
            // One write for all of them: between the answers and this lies the crash that sends them twice.
            int marked = store.sent(owner, sent);
            listener.sent(marked);
            if (marked < sent.size()) {
                log.warn(
                        "{} messages were sent after their lease had ended: another relay sends them too",
                        sent.size() - marked);
                listener.leaseLost(sent.size() - marked);
            }
        }
        return sent.size();
    }

    private void giveBack(UUID owner, LeasedMessage message, String reason, int failures, long attempt) {
        Duration delay = backOff.after(attempt, random);
        if (store.giveBack(owner, message, reason, failures, delay)) {
            log.info("{}: not sent, again in {}: {}", message.message(), delay, reason);
            listener.failed(message, reason);
        }
    }

    private void park(UUID owner, LeasedMessage message, String reason) {
        if (store.park(owner, message, reason)) {
            log.warn("{}: parked after {} refusals: {}", message.message(), message.failures() + 1, reason);
            listener.parked(message, reason);
        }
    }

    /** Measures the backlog for the listener. */
    public void measure() {
        listener.measured(store.backlog());
    }
}
