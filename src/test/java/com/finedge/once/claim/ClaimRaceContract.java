package com.finedge.once.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.support.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Many workers on many keys while the clock takes leases away from under them: the recorded history must be one that a
 * single, fenced owner at a time could have written.
 */
public abstract class ClaimRaceContract {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int WORKERS = 8;

    /** The store under test. */
    protected abstract ClaimStore store();

    /** How many rounds each worker makes. */
    protected abstract int rounds();

    private final SettableClock clock = new SettableClock();
    private final Map<ClaimKey, Queue<Long>> grants = new ConcurrentHashMap<>();
    private final Map<ClaimKey, AtomicInteger> ends = new ConcurrentHashMap<>();
    private final Queue<Claim> lateClaims = new ConcurrentLinkedQueue<>();

    @Test
    void noKeyHasTwoOwnersAndALateWorkerRecordsNothing() throws Exception {
        Claims claims = new Claims(store(), LEASE, Duration.ofDays(60), clock, UUID::randomUUID, ClaimListener.NONE);
        String run = UUID.randomUUID().toString();
        List<ClaimKey> keys = IntStream.range(0, 20)
                .mapToObj(i -> new ClaimKey("race", run + "-" + i))
                .toList();

        try (ExecutorService threads = Executors.newFixedThreadPool(WORKERS)) {
            List<Future<?>> workers = IntStream.range(0, WORKERS)
                    .<Future<?>>mapToObj(seed -> threads.submit(() -> work(claims, keys, seed)))
                    .toList();
            for (Future<?> worker : workers) {
                worker.get();
            }
        }

        for (ClaimKey key : keys) {
            // Each grant has a fence of its own: two owners at once would share one.
            assertThat(grants.getOrDefault(key, new ConcurrentLinkedQueue<>())).doesNotHaveDuplicates();
            assertThat(ends.getOrDefault(key, new AtomicInteger()).get())
                    .as("ends of " + key)
                    .isLessThanOrEqualTo(1);
        }
        assertThat(lateClaims).as("the clock forced takeovers").isNotEmpty();
        for (Claim late : lateClaims) {
            ClaimRecord before = claims.find(late.key()).orElseThrow();
            assertThat(claims.markDone(late, "LATE", Map.of())).isEqualTo(ClaimWrite.LEASE_LOST);
            assertThat(claims.markFailed(late, "LATE", Map.of())).isEqualTo(ClaimWrite.LEASE_LOST);
            assertThat(claims.renew(late)).isEqualTo(ClaimWrite.LEASE_LOST);
            assertThat(claims.release(late)).isEqualTo(ClaimWrite.LEASE_LOST);
            assertThat(claims.find(late.key())).contains(before);
        }
    }

    private void work(Claims claims, List<ClaimKey> keys, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < rounds(); i++) {
            ClaimKey key = keys.get(random.nextInt(keys.size()));
            if (claims.claim(key, Fingerprint.of(key.key())) instanceof ClaimResult.Acquired acquired) {
                grants.computeIfAbsent(key, k -> new ConcurrentLinkedQueue<>())
                        .add(acquired.claim().fence());
                hold(claims, acquired.claim(), random);
            }
        }
    }

    private void hold(Claims claims, Claim claim, SplittableRandom random) {
        int what = random.nextInt(10);
        if (what < 4) {
            // Paused past its own lease: whoever asks next takes over.
            clock.advance(LEASE.plusMillis(1));
            lateIfTakenOver(claims, claim);
        } else if (what < 8) {
            claims.release(claim);
        } else if (claims.markDone(claim, "DONE", Map.of()) == ClaimWrite.WRITTEN) {
            ends.computeIfAbsent(claim.key(), k -> new AtomicInteger()).incrementAndGet();
        }
    }

    private void lateIfTakenOver(Claims claims, Claim claim) {
        if (claims.claim(claim.key(), claim.fingerprint()) instanceof ClaimResult.Acquired successor) {
            grants.computeIfAbsent(claim.key(), k -> new ConcurrentLinkedQueue<>())
                    .add(successor.claim().fence());
            lateClaims.add(claim);
        }
    }
}
