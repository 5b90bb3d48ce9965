package com.finedge.once.claim;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims effects for their business keys, and records their ends.
 *
 * <ol>
 *   <li>{@link #claim} before the effect. Only {@link ClaimResult.Acquired} may go on.
 *   <li>Perform the effect, with the business key as the idempotency key of whatever records it: the lease makes two
 *       runs rare, that key makes them harmless.
 *   <li>{@link #markDone} or {@link #markFailed} when its end is certain, {@link #release} when it isn't.
 *   <li>Only then acknowledge the message. On {@link ClaimWrite#LEASE_LOST} do nothing: the next delivery meets the
 *       successor's result.
 * </ol>
 *
 * <p>Leases are judged by the claimant's clock. Clocks that differ by more than a lease's slack cost a second run,
 * never a second recorded end.
 */
public final class Claims {

    private static final Logger log = LoggerFactory.getLogger(Claims.class);

    /** In characters: a dozen of them are far from the 400 KB that an item of DynamoDB may have. */
    private static final int LONGEST_FACT = 1_000;

    private final ClaimStore store;
    private final Duration lease;
    private final Duration retention;
    private final InstantSource clock;
    private final Supplier<UUID> ids;
    private final ClaimListener listener;

    /**
     * @param lease how long a claim is held without a renewal: longer than the effect takes
     * @param retention how long an ended claim is kept: longer than every way its message can come back
     * @param ids makes owners
     * @throws IllegalArgumentException if a duration isn't positive
     */
    public Claims(
            ClaimStore store,
            Duration lease,
            Duration retention,
            InstantSource clock,
            Supplier<UUID> ids,
            ClaimListener listener) {
        if (!lease.isPositive() || !retention.isPositive()) {
            throw new IllegalArgumentException("lease and retention must be positive");
        }
        this.store = store;
        this.lease = lease;
        this.retention = retention;
        this.clock = clock;
        this.ids = ids;
        this.listener = listener;
    }

    /**
     * Asks for the right to perform the effect.
     *
     * @throws ClaimStoreException if the store can't be asked; the message must stay on its queue
     */
    public ClaimResult claim(ClaimKey key, Fingerprint fingerprint) {
        Instant now = clock.instant();
        ClaimResult result =
                store.claim(new ClaimRequest(key, fingerprint, ids.get().toString(), now, now.plus(lease)));
        if (result instanceof ClaimResult.Acquired(Claim claim, String previous)) {
            claim.workedOnBy(Thread.currentThread());
            if (previous != null) {
                log.warn(
                        "{}: taken over from owner {}, its lease had lapsed; attempt {}",
                        key,
                        previous,
                        claim.attempt());
            }
        }
        listener.answered(key, result);
        return result;
    }

    /**
     * Records that the effect happened.
     *
     * @param outcome one word for what became of it
     * @param detail small facts; what is longer than 1,000 characters is cut
     */
    public ClaimWrite markDone(Claim claim, String outcome, Map<String, String> detail) {
        return finish(claim, ClaimState.DONE, outcome, detail);
    }

    /** Records that the effect will not happen. */
    public ClaimWrite markFailed(Claim claim, String outcome, Map<String, String> detail) {
        return finish(claim, ClaimState.FAILED, outcome, detail);
    }

    private ClaimWrite finish(Claim claim, ClaimState state, String outcome, Map<String, String> detail) {
        Instant now = clock.instant();
        ClaimEnd end = new ClaimEnd(state, small(outcome), small(detail), now, now.plus(retention));
        ClaimWrite write = ending(claim, () -> store.finish(claim, end));
        if (write == ClaimWrite.WRITTEN) {
            listener.ended(claim, state, outcome);
        }
        return write;
    }

    /** Holds the claim for another lease from now. */
    public ClaimWrite renew(Claim claim) {
        if (claim.isEnding()) {
            return ClaimWrite.WRITTEN;
        }
        Instant now = clock.instant();
        ClaimWrite write = store.renew(claim, now, now.plus(lease));
        // A renewal that crossed the claim's own end on its way has lost nothing.
        return claim.isEnding() ? ClaimWrite.WRITTEN : seen(claim, write);
    }

    /** Gives the claim back, so that the next delivery need not wait for the end of the lease. */
    public ClaimWrite release(Claim claim) {
        ClaimWrite write = ending(claim, () -> store.release(claim, clock.instant()));
        if (write == ClaimWrite.WRITTEN) {
            listener.released(claim);
        }
        return write;
    }

    private ClaimWrite ending(Claim claim, Supplier<ClaimWrite> write) {
        claim.ending(true);
        boolean ended = false;
        try {
            ClaimWrite result = write.get();
            ended = result == ClaimWrite.WRITTEN;
            return seen(claim, result);
        } finally {
            if (!ended) {
                claim.ending(false);
            }
        }
    }

    /**
     * Makes a FAILED claim claimable again.
     *
     * @param who the operator
     * @param why the reason, for the record
     * @return whether there was a FAILED claim
     */
    public boolean reopen(ClaimKey key, String who, String why) {
        boolean reopened = store.reopen(key, small(Map.of("reopenedBy", who, "reopenedBecause", why)), clock.instant());
        if (reopened) {
            log.info("{}: reopened by {}", key, who);
        }
        return reopened;
    }

    /**
     * Records that the effect of a FAILED claim has happened after all.
     *
     * @param seen the claim as it was when that was found out
     * @param detail small facts, who found out among them
     * @return whether it is recorded; false if the claim has changed since it was seen
     */
    public boolean settle(ClaimRecord seen, String outcome, Map<String, String> detail) {
        Instant now = clock.instant();
        boolean settled = store.settle(
                seen, new ClaimEnd(ClaimState.DONE, small(outcome), small(detail), now, now.plus(retention)));
        if (settled) {
            log.info("{}: settled as {}", seen.key(), outcome);
            listener.settled(seen.key(), outcome);
        }
        return settled;
    }

    /** An end that a store refuses for its size would never be recorded, and its effect be run again and again. */
    private static Map<String, String> small(Map<String, String> detail) {
        Map<String, String> small = new HashMap<>(detail);
        small.replaceAll((name, fact) -> small(fact));
        return small;
    }

    private static String small(String fact) {
        return fact.length() <= LONGEST_FACT ? fact : fact.substring(0, LONGEST_FACT);
    }

    /** The record of a key, if there is one. */
    public Optional<ClaimRecord> find(ClaimKey key) {
        return store.find(key);
    }

    private ClaimWrite seen(Claim claim, ClaimWrite write) {
        if (write == ClaimWrite.LEASE_LOST) {
            log.warn(
                    "{}: the lease of owner {} is lost, nothing of it is recorded any more",
                    claim.key(),
                    claim.owner());
            claim.lose();
            listener.leaseLost(claim);
        }
        return write;
    }
}
