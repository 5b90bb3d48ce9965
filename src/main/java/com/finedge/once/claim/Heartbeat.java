package com.finedge.once.claim;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what this process holds: of every message its visibility, from the receipt on, and from the claim on its lease,
 * both together at a third of the shorter one.
 *
 * <ol>
 *   <li>{@link #received} when the queue hands a message out, {@link #started} when its work begins, {@link #claimed}
 *       when that has acquired a claim, {@link #letGo} at its end.
 *   <li>What is held for less than the interval costs nothing: most work ends before its first renewal.
 *   <li>Where the lease or the visibility turns out to be lost, the claim is told ({@link Claim#isLost}), the work is
 *       interrupted unless it is in its effect, and nothing more is renewed.
 *   <li>Nothing is held for longer than the ceiling: work that hangs must not keep its message for ever.
 *   <li>A message that was handed out and isn't started within the interval is made visible again: its consumer has
 *       dropped it.
 * </ol>
 */
public final class Heartbeat implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

    private static final int PER_LEASE = 3;
    private static final int LOOKS_PER_INTERVAL = 4;
    private static final int LATE_AFTER_LOOKS = 4;

    /** SQS answers in far less; where it doesn't, the work is worth more than the delay. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final Claims claims;
    private final Duration lease;
    private final Duration visibility;
    private final Duration interval;
    private final Duration maxHold;
    private final InstantSource clock;
    private final ClaimListener listener;
    private final ConcurrentMap<String, Hold> holds = new ConcurrentHashMap<>();
    private final ExecutorService renewals = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("heartbeat-renewal-", 0).factory());
    private final ScheduledExecutorService pulse = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("heartbeat").daemon().factory());

    private volatile Instant lastBeat;

    /**
     * One that doesn't beat by itself before {@link #start()}.
     *
     * @param lease the lease of the claims
     * @param visibility how long a message is hidden by each beat
     * @param maxHold the ceiling, above the lease
     */
    public Heartbeat(
            Claims claims,
            Duration lease,
            Duration visibility,
            Duration maxHold,
            InstantSource clock,
            ClaimListener listener) {
        if (maxHold.compareTo(lease) < 0) {
            throw new IllegalArgumentException("what is held must be held for a lease at least");
        }
        this.claims = claims;
        this.lease = lease;
        this.visibility = visibility;
        this.interval = (lease.compareTo(visibility) < 0 ? lease : visibility).dividedBy(PER_LEASE);
        this.maxHold = maxHold;
        this.clock = clock;
        this.listener = listener;
        this.lastBeat = clock.instant();
    }

    /** Beats from now on, until {@link #close()}. */
    public void start() {
        long look = Math.max(1, interval.toMillis() / LOOKS_PER_INTERVAL);
        var unused = pulse.scheduleAtFixedRate(this::beatSafely, look, look, TimeUnit.MILLISECONDS);
    }

    /** A message was handed out: its visibility runs from now. */
    public void received(String receipt, HeldMessage message) {
        holds.put(receipt, new Hold(message, clock.instant()));
    }

    /**
     * The work on a message begins.
     *
     * @param message for one that didn't come through {@link #received}
     */
    public void started(String receipt, HeldMessage message) {
        holds.computeIfAbsent(receipt, r -> new Hold(message, clock.instant())).started = true;
    }

    /** The work on a message has acquired a claim. */
    public void claimed(String receipt, Claim claim) {
        Hold hold = holds.get(receipt);
        if (hold != null) {
            hold.claim = claim;
            hold.leaseUntil = claim.leaseUntil();
        }
    }

    /**
     * Hides a held message for so much longer than the others from now on, and waits a moment until that is so: if this
     * process dies of it, it comes back later than what was at work beside it.
     */
    public void hideLonger(String receipt, Duration longer) {
        Hold hold = holds.get(receipt);
        if (hold != null) {
            hold.longer = longer;
            var unused = hidden(receipt, hold)
                    .completeOnTimeout(false, LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                    .exceptionally(failure -> false)
                    .join();
        }
    }

    /** The message is held no more, whatever became of it. */
    public void letGo(String receipt) {
        holds.remove(receipt);
    }

    /**
     * Makes visible at once what was handed out and not started, and holds it no more.
     *
     * @return how many there were
     */
    public int returnUnstarted() {
        List<String> unstarted = holds.entrySet().stream()
                .filter(held -> !held.getValue().started)
                .map(Map.Entry::getKey)
                .toList();
        unstarted.forEach(receipt -> returned(receipt, holds.get(receipt)));
        return unstarted.size();
    }

    /** How many messages are held. */
    public int holding() {
        return holds.size();
    }

    /** Whether no beat has come for too long: what is held may be lapsing. */
    public boolean isLate() {
        Duration silence = Duration.between(lastBeat, clock.instant());
        return silence.compareTo(interval.dividedBy(LOOKS_PER_INTERVAL).multipliedBy(LATE_AFTER_LOOKS)) > 0;
    }

    private void beatSafely() {
        try {
            beat();
        } catch (Throwable e) {
            // Also an Error: the scheduler drops a task that throws, and everything held would lapse in silence.
            log.error("a heartbeat failed, the next one comes", e);
        }
    }

    /** Looks once at all that is held, and renews what is due; returns when it has asked. */
    void beat() {
        Instant now = clock.instant();
        holds.forEach((receipt, hold) -> {
            if (Duration.between(hold.renewedAt, now).compareTo(interval) >= 0) {
                due(receipt, hold, now);
            }
        });
        lastBeat = now;
    }

    private void due(String receipt, Hold hold, Instant now) {
        if (!hold.started) {
            log.warn("{}: received and not started, made visible again", hold.message);
            returned(receipt, hold);
        } else if (Duration.between(hold.since, now).compareTo(maxHold) > 0) {
            lost(receipt, hold, "held for longer than " + maxHold);
        } else {
            hold.renewedAt = now;
            renewals.execute(() -> renew(receipt, hold, now));
        }
    }

    private void renew(String receipt, Hold hold, Instant now) {
        try {
            Claim claim = hold.claim;
            if (claim != null && !leaseRenewed(hold, claim, now)) {
                lost(receipt, hold, "its lease is lost");
                return;
            }
            var unused = hidden(receipt, hold);
        } catch (Throwable e) {
            // Nothing is known: the next beat tries again, for as long as the lease lasts.
            log.warn("{}: a renewal failed: {}", hold.message, e.toString());
            Instant leaseUntil = hold.leaseUntil;
            if (leaseUntil != null && clock.instant().isAfter(leaseUntil)) {
                lost(receipt, hold, "its lease could not be renewed in time");
            }
            hold.renewedAt = now.minus(interval);
        }
    }

    private boolean leaseRenewed(Hold hold, Claim claim, Instant now) {
        if (claims.renew(claim) == ClaimWrite.LEASE_LOST) {
            return false;
        }
        hold.leaseUntil = now.plus(lease);
        return true;
    }

    private CompletableFuture<Boolean> hidden(String receipt, Hold hold) {
        return hold.message.hide(visibility.plus(hold.longer)).whenComplete((stillOurs, failure) -> {
            if (failure != null) {
                log.warn("{}: its visibility could not be renewed: {}", hold.message, failure.toString());
            } else if (!stillOurs && holds.containsKey(receipt)) {
                lost(receipt, hold, "its visibility is lost");
            }
        });
    }

    private void lost(String receipt, Hold hold, String why) {
        if (!holds.remove(receipt, hold)) {
            return;
        }
        Claim claim = hold.claim;
        log.warn("{}: {}", claim == null ? hold.message : claim.key(), why);
        if (claim != null) {
            claim.lose();
            listener.holdLost(claim);
        }
    }

    private void returned(String receipt, @Nullable Hold hold) {
        if (hold != null && holds.remove(receipt, hold)) {
            var unused = hold.message.hide(Duration.ZERO);
        }
    }

    /** Stops beating: what is still held is left to its lease and visibility. */
    @Override
    public void close() {
        pulse.shutdownNow();
        renewals.shutdown();
    }

    /** One held message. */
    private static final class Hold {

        private final HeldMessage message;
        private final Instant since;
        private volatile Instant renewedAt;
        private volatile Duration longer = Duration.ZERO;
        private volatile boolean started;
        private volatile @Nullable Claim claim;
        private volatile @Nullable Instant leaseUntil;

        private Hold(HeldMessage message, Instant since) {
            this.message = message;
            this.since = since;
            this.renewedAt = since;
        }
    }
}
