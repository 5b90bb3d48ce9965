package com.finedge.once.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.finedge.once.support.ForwardingClaimStore;
import com.finedge.once.support.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeartbeatTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration VISIBILITY = Duration.ofSeconds(60);
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Duration MAX_HOLD = Duration.ofMinutes(5);
    private static final ClaimKey KEY = new ClaimKey("test", "K-1");

    private final SettableClock clock = new SettableClock();
    private final CountingStore store = new CountingStore();
    private final Claims claims =
            new Claims(store, LEASE, Duration.ofDays(60), clock, UUID::randomUUID, ClaimListener.NONE);
    private final AtomicInteger lost = new AtomicInteger();
    private final Heartbeat heartbeat = new Heartbeat(claims, LEASE, VISIBILITY, MAX_HOLD, clock, new ClaimListener() {
        @Override
        public void holdLost(Claim claim) {
            lost.incrementAndGet();
        }
    });
    private final Message message = new Message();

    @AfterEach
    void close() {
        heartbeat.close();
    }

    private Claim claim() {
        return ((ClaimResult.Acquired) claims.claim(KEY, Fingerprint.of("x"))).claim();
    }

    private Claim held() {
        heartbeat.received("r-1", message);
        heartbeat.started("r-1", message);
        Claim claim = claim();
        heartbeat.claimed("r-1", claim);
        return claim;
    }

    private void beatAfter(Duration time) {
        clock.advance(time);
        heartbeat.beat();
    }

    private void untilHidden(int times) {
        await().atMost(Duration.ofSeconds(5)).until(() -> message.hidden.size() == times);
    }

    @Test
    void whatEndsBeforeItsFirstRenewalCostsNothing() {
        held();
        beatAfter(INTERVAL.minusMillis(1));
        heartbeat.letGo("r-1");
        beatAfter(INTERVAL);

        assertThat(store.renewals).hasValue(0);
        assertThat(message.hidden).isEmpty();
    }

    @Test
    void leaseAndVisibilityAreRenewedTogetherAtAThirdOfTheShorterOne() {
        held();
        for (int beats = 1; beats <= 12; beats++) {
            beatAfter(INTERVAL);
            untilHidden(beats);
        }

        assertThat(store.renewals).hasValue(12);
        assertThat(message.hidden).containsOnly(VISIBILITY);
        assertThat(claims.find(KEY).orElseThrow().leaseUntil())
                .isEqualTo(clock.instant().plus(LEASE));
        // Two minutes into a lease of 30 s nobody has taken over.
        assertThat(claims.claim(KEY, Fingerprint.of("x")).outcome()).isEqualTo(ClaimOutcome.DUPLICATE_IN_PROGRESS);
    }

    @Test
    void aMessageIsHeldFromItsReceiptAlsoBeforeAnyClaim() {
        heartbeat.received("r-1", message);
        heartbeat.started("r-1", message);
        beatAfter(INTERVAL);

        untilHidden(1);
        assertThat(store.renewals).hasValue(0);
    }

    @Test
    void aMessageThatIsHiddenLongerIsSoAtOnceAndAtEveryBeat() {
        held();
        heartbeat.hideLonger("r-1", Duration.ofSeconds(7));
        assertThat(message.hidden).containsExactly(VISIBILITY.plusSeconds(7));

        beatAfter(INTERVAL);
        untilHidden(2);
        assertThat(message.hidden).containsOnly(VISIBILITY.plusSeconds(7));
    }

    @Test
    void aLostLeaseTellsTheClaimAndInterruptsTheWork() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        CompletableFuture<Claim> claim = new CompletableFuture<>();
        Thread work = Thread.ofVirtual().start(() -> {
            claim.complete(held());
            working.countDown();
            interrupted.set(blockedUntilInterrupted());
        });
        working.await();
        store.takenOver = true;

        beatAfter(INTERVAL);

        work.join(Duration.ofSeconds(5));
        assertThat(interrupted).isTrue();
        assertThat(claim.get().isLost()).isTrue();
        // The work is told first, and may be here before everybody else is.
        await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> {
            assertThat(lost).hasValue(1);
            assertThat(heartbeat.holding()).isZero();
        });
        assertThat(claim.get().unlessLost(() -> "a debit")).isEmpty();
    }

    @Test
    void anEffectOnItsWayIsNotInterrupted() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        CompletableFuture<Claim> claim = new CompletableFuture<>();
        CompletableFuture<Optional<Boolean>> interruptedInEffect = new CompletableFuture<>();
        Thread work = Thread.ofVirtual().start(() -> {
            Claim mine = held();
            claim.complete(mine);
            interruptedInEffect.complete(mine.unlessLost(() -> {
                working.countDown();
                try {
                    told.await();
                    return Thread.currentThread().isInterrupted();
                } catch (InterruptedException e) {
                    return true;
                }
            }));
        });
        working.await();
        store.takenOver = true;
        beatAfter(INTERVAL);
        await().atMost(Duration.ofSeconds(5)).until(() -> claim.get().isLost());
        told.countDown();

        work.join(Duration.ofSeconds(5));
        assertThat(interruptedInEffect.get()).contains(false);
    }

    private static boolean blockedUntilInterrupted() {
        try {
            new CountDownLatch(1).await();
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Test
    void aLostVisibilityTellsTheClaimToo() {
        Claim claim = ((ClaimResult.Acquired) claims.claim(KEY, Fingerprint.of("x"))).claim();
        claim.workedOnBy(Thread.ofVirtual().unstarted(() -> {}));
        heartbeat.received("r-1", message);
        heartbeat.started("r-1", message);
        heartbeat.claimed("r-1", claim);
        message.answer = CompletableFuture.completedFuture(false);

        beatAfter(INTERVAL);

        await().atMost(Duration.ofSeconds(5)).until(claim::isLost);
        assertThat(heartbeat.holding()).isZero();
    }

    @Test
    void aVisibilityThatNobodyKnowsAboutIsTriedAgain() {
        held();
        message.answer = CompletableFuture.failedFuture(new IllegalStateException("SQS is down"));
        beatAfter(INTERVAL);
        untilHidden(1);
        message.answer = CompletableFuture.completedFuture(true);
        beatAfter(INTERVAL);

        untilHidden(2);
        assertThat(heartbeat.holding()).isEqualTo(1);
        assertThat(lost).hasValue(0);
    }

    @Test
    void aStoreThatIsDownLosesNothingBeforeTheLeaseIsOver() {
        Claim claim = held();
        claim.workedOnBy(Thread.ofVirtual().unstarted(() -> {}));
        store.broken = true;
        beatAfter(INTERVAL);
        await().atMost(Duration.ofSeconds(5)).until(() -> store.renewals.get() == 1);
        assertThat(claim.isLost()).isFalse();

        // Tried again at the next look, not after another interval.
        beatAfter(Duration.ofMillis(2_500));
        await().atMost(Duration.ofSeconds(5)).until(() -> store.renewals.get() == 2);
        assertThat(claim.isLost()).isFalse();

        beatAfter(LEASE);
        await().atMost(Duration.ofSeconds(5)).until(claim::isLost);
    }

    @Test
    void anErrorInOneRenewalStopsNoOther() {
        Message broken = new Message();
        broken.error = new NoClassDefFoundError("an Error, not an Exception");
        heartbeat.started("r-broken", broken);
        held();

        beatAfter(INTERVAL);
        untilHidden(1);
        beatAfter(INTERVAL);
        untilHidden(2);
    }

    @Test
    void nothingIsHeldLongerThanTheCeiling() {
        Claim claim = held();
        claim.workedOnBy(Thread.ofVirtual().unstarted(() -> {}));
        clock.advance(MAX_HOLD);
        beatAfter(Duration.ofMillis(1));

        assertThat(claim.isLost()).isTrue();
        assertThat(heartbeat.holding()).isZero();
    }

    @Test
    void whatWasReceivedAndNotStartedIsMadeVisibleAgain() {
        heartbeat.received("r-1", message);
        beatAfter(INTERVAL);

        assertThat(message.hidden).containsExactly(Duration.ZERO);
        assertThat(heartbeat.holding()).isZero();
    }

    @Test
    void aStopReturnsWhatWasNotStartedAndNothingElse() {
        Message started = new Message();
        heartbeat.received("r-1", message);
        heartbeat.received("r-2", started);
        heartbeat.started("r-2", started);

        assertThat(heartbeat.returnUnstarted()).isEqualTo(1);
        assertThat(message.hidden).containsExactly(Duration.ZERO);
        assertThat(started.hidden).isEmpty();
    }

    @Test
    void aRenewalThatCrossesTheEndOfItsClaimHasLostNothing() {
        Claim claim = held();
        store.beforeRenewal = () -> claims.markDone(claim, "DONE", Map.of());
        beatAfter(INTERVAL);
        untilHidden(1);

        assertThat(claim.isLost()).isFalse();
        assertThat(lost).hasValue(0);
        assertThat(claims.find(KEY).orElseThrow().state()).isEqualTo(ClaimState.DONE);
    }

    @Test
    void itSaysWhenItIsLate() {
        assertThat(heartbeat.isLate()).isFalse();
        clock.advance(INTERVAL.plusMillis(1));
        assertThat(heartbeat.isLate()).isTrue();
        heartbeat.beat();
        assertThat(heartbeat.isLate()).isFalse();
    }

    @Test
    void aCeilingBelowTheLeaseIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new Heartbeat(claims, LEASE, VISIBILITY, LEASE.minusMillis(1), clock, ClaimListener.NONE));
    }

    /** Records how it is hidden. */
    private static final class Message implements HeldMessage {

        private final List<Duration> hidden = new CopyOnWriteArrayList<>();
        private volatile CompletableFuture<Boolean> answer = CompletableFuture.completedFuture(true);
        private volatile @Nullable Error error;

        @Override
        public CompletableFuture<Boolean> hide(Duration visibility) {
            if (error != null) {
                throw error;
            }
            hidden.add(visibility);
            return answer;
        }

        @Override
        public String toString() {
            return "message m-1";
        }
    }

    /** The store in memory; counts renewals, breaks, or lets another owner take over before one. */
    private static final class CountingStore extends ForwardingClaimStore {

        private final AtomicInteger renewals = new AtomicInteger();
        private volatile boolean broken;
        private volatile boolean takenOver;
        private volatile Runnable beforeRenewal = () -> {};

        @Override
        public ClaimWrite renew(Claim claim, Instant now, Instant leaseUntil) {
            renewals.incrementAndGet();
            beforeRenewal.run();
            if (broken) {
                throw new ClaimStoreException("down");
            }
            return takenOver ? ClaimWrite.LEASE_LOST : super.renew(claim, now, leaseUntil);
        }
    }
}
