package com.finedge.once.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every claim store promises; whoever writes a store runs this against it. */
public abstract class ClaimStoreContract {

    protected static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Fingerprint CONTENT = Fingerprint.of("ACC-42", "19.90", "EUR");
    private static final Fingerprint OTHER_CONTENT = Fingerprint.of("ACC-42", "1990.00", "EUR");

    private ClaimStore store;
    private ClaimKey key;

    /** The store under test; keys are new in every test, so it may be shared. */
    protected abstract ClaimStore store();

    @BeforeEach
    void aNewKey() {
        store = store();
        key = new ClaimKey("contract", "K-" + UUID.randomUUID());
    }

    private ClaimResult claimAs(String owner, Instant now) {
        return store.claim(new ClaimRequest(key, CONTENT, owner, now, now.plus(LEASE)));
    }

    private Claim acquired(ClaimResult result) {
        assertThat(result).isInstanceOf(ClaimResult.Acquired.class);
        return ((ClaimResult.Acquired) result).claim();
    }

    private ClaimRecord stored() {
        return store.find(key).orElseThrow();
    }

    private static ClaimEnd end(ClaimState state, String outcome) {
        return new ClaimEnd(
                state, outcome, Map.of("debitReference", "D-1"), NOON.plusSeconds(5), NOON.plus(Duration.ofDays(60)));
    }

    @Test
    void anUnknownKeyIsGranted() {
        Claim claim = acquired(claimAs("a", NOON));

        assertThat(claim).isEqualTo(new Claim(key, CONTENT, "a", 1, 1, NOON.plus(LEASE)));
        ClaimRecord record = stored();
        assertThat(record.state()).isEqualTo(ClaimState.IN_PROGRESS);
        assertThat(record.owner()).isEqualTo("a");
        assertThat(record.fence()).isEqualTo(1);
        assertThat(record.attempts()).isEqualTo(1);
        assertThat(record.fingerprint()).isEqualTo(CONTENT);
        assertThat(record.leaseUntil()).isEqualTo(NOON.plus(LEASE));
        assertThat(record.createdAt()).isEqualTo(NOON);
        assertThat(record.expiresAt()).isNull();
        assertThat(record.outcome()).isNull();
    }

    @Test
    void aClaimInProgressIsRefusedUntilItsLeaseEnds() {
        acquired(claimAs("a", NOON));

        ClaimResult result = claimAs("b", NOON.plus(LEASE));

        assertThat(result.outcome()).isEqualTo(ClaimOutcome.DUPLICATE_IN_PROGRESS);
        assertThat(((ClaimResult.InProgress) result).leaseUntil()).isEqualTo(NOON.plus(LEASE));
        assertThat(stored().owner()).isEqualTo("a");
    }

    @Test
    void aLeaseThatEndsWithinTheSameMillisecondIsStillHeld() {
        acquired(claimAs("a", NOON.plusNanos(400_000)));

        assertThat(claimAs("b", NOON.plus(LEASE).plusNanos(900_000)).outcome())
                .isEqualTo(ClaimOutcome.DUPLICATE_IN_PROGRESS);
        acquired(claimAs("b", NOON.plus(LEASE).plusMillis(1)));
    }

    @Test
    void anExpiredLeaseIsTakenOver() {
        acquired(claimAs("a", NOON));

        ClaimResult.Acquired taken =
                (ClaimResult.Acquired) claimAs("b", NOON.plus(LEASE).plusMillis(1));

        assertThat(taken.takenOverFrom()).isEqualTo("a");
        assertThat(taken.claim().fence()).isEqualTo(2);
        assertThat(taken.claim().attempt()).isEqualTo(2);
        assertThat(stored().createdAt()).isEqualTo(NOON);
    }

    @Test
    void aDoneClaimIsADuplicateForEver() {
        Claim claim = acquired(claimAs("a", NOON));

        assertThat(store.finish(claim, end(ClaimState.DONE, "DEBITED"))).isEqualTo(ClaimWrite.WRITTEN);

        // Expired too: as long as the record is there it counts, whatever its time to live says.
        ClaimResult result = claimAs("b", NOON.plus(Duration.ofDays(400)));
        assertThat(result.outcome()).isEqualTo(ClaimOutcome.DUPLICATE_DONE);
        ClaimRecord record = ((ClaimResult.Done) result).existing();
        assertThat(record.outcome()).isEqualTo("DEBITED");
        assertThat(record.detail()).containsEntry("debitReference", "D-1");
        assertThat(record.owner()).isEqualTo("a");
        assertThat(record.expiresAt()).isEqualTo(NOON.plus(Duration.ofDays(60)));
        assertThat(record.updatedAt()).isEqualTo(NOON.plusSeconds(5));
    }

    @Test
    void aFailedClaimIsADuplicateToo() {
        store.finish(acquired(claimAs("a", NOON)), end(ClaimState.FAILED, "INSUFFICIENT_FUNDS"));

        ClaimResult result = claimAs("b", NOON.plus(Duration.ofDays(1)));

        assertThat(result.outcome()).isEqualTo(ClaimOutcome.DUPLICATE_FAILED);
        assertThat(((ClaimResult.Failed) result).existing().outcome()).isEqualTo("INSUFFICIENT_FUNDS");
    }

    @Test
    void otherContentIsAConflictInEveryStateAndTouchesNothing() {
        Claim claim = acquired(claimAs("a", NOON));
        conflicts(NOON.plusSeconds(1));
        conflicts(NOON.plus(LEASE).plusSeconds(1));
        store.finish(claim, end(ClaimState.FAILED, "X"));
        conflicts(NOON.plusSeconds(60));
        assertThat(store.reopen(key, Map.of(), NOON.plusSeconds(61))).isTrue();
        conflicts(NOON.plusSeconds(62));
        store.finish(acquired(claimAs("b", NOON.plusSeconds(63))), end(ClaimState.DONE, "DEBITED"));
        conflicts(NOON.plusSeconds(64));
    }

    private void conflicts(Instant now) {
        ClaimRecord before = stored();
        ClaimResult result = store.claim(new ClaimRequest(key, OTHER_CONTENT, "other", now, now.plus(LEASE)));
        assertThat(result.outcome()).isEqualTo(ClaimOutcome.CONFLICT);
        assertThat(((ClaimResult.Conflict) result).existing()).isEqualTo(before);
        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void aLateOwnerChangesNothingOnceTheSuccessorHoldsTheClaim() {
        Claim late = acquired(claimAs("a", NOON));
        Instant later = NOON.plus(LEASE).plusSeconds(1);
        acquired(claimAs("b", later));

        everyWriteIsRefused(late, later);
    }

    @Test
    void aLateOwnerChangesNothingAfterItsSuccessorIsDone() {
        Claim late = acquired(claimAs("a", NOON));
        Instant later = NOON.plus(LEASE).plusSeconds(1);
        store.finish(acquired(claimAs("b", later)), end(ClaimState.DONE, "DEBITED"));

        everyWriteIsRefused(late, later);
    }

    @Test
    void aLateOwnerChangesNothingAfterItsSuccessorFailed() {
        Claim late = acquired(claimAs("a", NOON));
        Instant later = NOON.plus(LEASE).plusSeconds(1);
        store.finish(acquired(claimAs("b", later)), end(ClaimState.FAILED, "INSUFFICIENT_FUNDS"));

        everyWriteIsRefused(late, later);
    }

    @Test
    void aLateOwnerChangesNothingAfterItsSuccessorReleased() {
        Claim late = acquired(claimAs("a", NOON));
        Instant later = NOON.plus(LEASE).plusSeconds(1);
        store.release(acquired(claimAs("b", later)), later);

        everyWriteIsRefused(late, later);
    }

    @Test
    void anOwnerThatReleasedChangesNothingAnyMore() {
        Claim released = acquired(claimAs("a", NOON));
        store.release(released, NOON.plusSeconds(1));
        ClaimRecord before = stored();

        assertThat(store.finish(released, end(ClaimState.DONE, "DEBITED"))).isEqualTo(ClaimWrite.LEASE_LOST);
        assertThat(store.renew(released, NOON, NOON.plusSeconds(100))).isEqualTo(ClaimWrite.LEASE_LOST);
        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void nothingIsWrittenWhereTheRecordIsGone() {
        Claim claim = new Claim(key, CONTENT, "a", 1, 1, NOON.plus(LEASE));

        assertThat(store.finish(claim, end(ClaimState.DONE, "DEBITED"))).isEqualTo(ClaimWrite.LEASE_LOST);
        assertThat(store.renew(claim, NOON, NOON.plusSeconds(100))).isEqualTo(ClaimWrite.LEASE_LOST);
        assertThat(store.release(claim, NOON)).isEqualTo(ClaimWrite.LEASE_LOST);
        assertThat(store.reopen(key, Map.of(), NOON)).isFalse();
        assertThat(store.find(key)).isEmpty();
    }

    private void everyWriteIsRefused(Claim late, Instant now) {
        ClaimRecord before = stored();
        assertThat(store.finish(late, end(ClaimState.DONE, "LATE"))).isEqualTo(ClaimWrite.LEASE_LOST);
        assertThat(store.finish(late, end(ClaimState.FAILED, "LATE"))).isEqualTo(ClaimWrite.LEASE_LOST);
        assertThat(store.renew(late, now, now.plus(LEASE))).isEqualTo(ClaimWrite.LEASE_LOST);
        assertThat(store.release(late, now)).isEqualTo(ClaimWrite.LEASE_LOST);
        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void anEndMetAgainByItsOwnOwnerIsWritten() {
        Claim claim = acquired(claimAs("a", NOON));
        store.finish(claim, end(ClaimState.DONE, "DEBITED"));

        assertThat(store.finish(claim, end(ClaimState.DONE, "DEBITED"))).isEqualTo(ClaimWrite.WRITTEN);
        assertThat(store.finish(claim, end(ClaimState.FAILED, "X"))).isEqualTo(ClaimWrite.LEASE_LOST);
        assertThat(stored().state()).isEqualTo(ClaimState.DONE);
    }

    /** An end that is refused for its text would never be recorded, and its effect be run again and again. */
    @Test
    void anEndIsRecordedWhateverItsTextIs() {
        Claim claim = acquired(claimAs("a", NOON));
        Map<String, String> detail = Map.of(
                "plain",
                "'; DROP TABLE claim; -- \"{}\\u0000\" \uD83D\uDE00\n",
                "nul",
                "a\0b",
                "half",
                "\uD83D",
                "empty",
                "");

        assertThat(store.finish(
                        claim,
                        new ClaimEnd(ClaimState.FAILED, "X\0", detail, NOON.plusSeconds(5), NOON.plusSeconds(60))))
                .isEqualTo(ClaimWrite.WRITTEN);

        assertThat(stored().detail())
                .containsKeys("nul", "half")
                .containsEntry("plain", "'; DROP TABLE claim; -- \"{}\\u0000\" \uD83D\uDE00\n")
                .containsEntry("empty", "");
        assertThat(stored().outcome()).startsWith("X");
    }

    @Test
    void aReleaseMetAgainByItsOwnOwnerIsWritten() {
        Claim claim = acquired(claimAs("a", NOON));
        store.release(claim, NOON.plusSeconds(1));

        assertThat(store.release(claim, NOON.plusSeconds(2))).isEqualTo(ClaimWrite.WRITTEN);

        acquired(claimAs("b", NOON.plusSeconds(3)));
        assertThat(store.release(claim, NOON.plusSeconds(4))).isEqualTo(ClaimWrite.LEASE_LOST);
    }

    @Test
    void aGrantMetAgainByItsOwnOwnerIsTheSameGrant() {
        Claim claim = acquired(claimAs("a", NOON));

        assertThat(acquired(claimAs("a", NOON))).isEqualTo(claim);
        assertThat(stored().fence()).isEqualTo(1);
    }

    @Test
    void aRenewalMovesTheEndOfTheLease() {
        Claim claim = acquired(claimAs("a", NOON));

        assertThat(store.renew(claim, NOON.plusSeconds(20), NOON.plusSeconds(50)))
                .isEqualTo(ClaimWrite.WRITTEN);

        assertThat(stored().leaseUntil()).isEqualTo(NOON.plusSeconds(50));
        assertThat(claimAs("b", NOON.plusSeconds(45)).outcome()).isEqualTo(ClaimOutcome.DUPLICATE_IN_PROGRESS);
    }

    @Test
    void aReleasedClaimIsGrantedAtOnceAsTheNextAttempt() {
        store.release(acquired(claimAs("a", NOON)), NOON.plusSeconds(1));
        assertThat(stored().owner()).isNull();

        ClaimResult.Acquired next = (ClaimResult.Acquired) claimAs("b", NOON.plusSeconds(2));

        assertThat(next.takenOverFrom()).isNull();
        assertThat(next.claim().attempt()).isEqualTo(2);
    }

    @Test
    void aReopenedClaimCountsItsAttemptsAnewAndItsFenceOn() {
        store.release(acquired(claimAs("a", NOON)), NOON.plusSeconds(1));
        store.finish(acquired(claimAs("b", NOON.plusSeconds(2))), end(ClaimState.FAILED, "RETRIES_EXHAUSTED"));

        assertThat(store.reopen(key, Map.of("reopenedBy", "kim"), NOON.plusSeconds(9)))
                .isTrue();
        assertThat(stored().expiresAt()).isNull();
        assertThat(stored().outcome()).isNull();
        Claim claim = acquired(claimAs("c", NOON.plusSeconds(10)));

        assertThat(claim.attempt()).isEqualTo(1);
        assertThat(claim.fence()).isEqualTo(3);
        assertThat(stored().detail()).containsEntry("reopenedBy", "kim").containsEntry("debitReference", "D-1");
    }

    @Test
    void onlyAFailedClaimIsReopened() {
        Claim claim = acquired(claimAs("a", NOON));
        assertThat(store.reopen(key, Map.of(), NOON)).isFalse();
        store.finish(claim, end(ClaimState.DONE, "DEBITED"));
        assertThat(store.reopen(key, Map.of(), NOON)).isFalse();
        assertThat(stored().state()).isEqualTo(ClaimState.DONE);
    }

    @Test
    void aFailedClaimIsSettledAsDoneWhereItsEffectTurnedOutToHaveHappened() {
        store.finish(acquired(claimAs("a", NOON)), end(ClaimState.FAILED, "OUTCOME_UNKNOWN"));
        ClaimEnd settled = new ClaimEnd(
                ClaimState.DONE,
                "DEBITED",
                Map.of("settledBy", "kim"),
                NOON.plusSeconds(9),
                NOON.plus(Duration.ofDays(61)));

        assertThat(store.settle(stored(), settled)).isTrue();

        ClaimRecord record = stored();
        assertThat(record.state()).isEqualTo(ClaimState.DONE);
        assertThat(record.outcome()).isEqualTo("DEBITED");
        assertThat(record.detail()).containsEntry("settledBy", "kim").containsEntry("debitReference", "D-1");
        assertThat(record.updatedAt()).isEqualTo(NOON.plusSeconds(9));
        assertThat(record.expiresAt()).isEqualTo(NOON.plus(Duration.ofDays(61)));
        assertThat(record.fence()).isEqualTo(1);
        assertThat(claimAs("b", NOON.plusSeconds(10)).outcome()).isEqualTo(ClaimOutcome.DUPLICATE_DONE);
    }

    @Test
    void settlingThatMeetsItsOwnEarlierSuccessIsRecorded() {
        store.finish(acquired(claimAs("a", NOON)), end(ClaimState.FAILED, "OUTCOME_UNKNOWN"));
        ClaimRecord seen = stored();

        assertThat(store.settle(seen, end(ClaimState.DONE, "DEBITED"))).isTrue();
        assertThat(store.settle(seen, end(ClaimState.DONE, "DEBITED"))).isTrue();
    }

    @Test
    void aClaimThatWasReopenedSinceItWasSeenIsNotSettled() {
        store.finish(acquired(claimAs("a", NOON)), end(ClaimState.FAILED, "OUTCOME_UNKNOWN"));
        ClaimRecord seen = stored();
        store.reopen(key, Map.of(), NOON.plusSeconds(9));

        assertThat(store.settle(seen, end(ClaimState.DONE, "DEBITED"))).isFalse();
        assertThat(stored().state()).isEqualTo(ClaimState.IN_PROGRESS);
    }

    @Test
    void aClaimThatFailedAgainSinceItWasSeenIsNotSettled() {
        store.finish(acquired(claimAs("a", NOON)), end(ClaimState.FAILED, "OUTCOME_UNKNOWN"));
        ClaimRecord seen = stored();
        store.reopen(key, Map.of(), NOON.plusSeconds(9));
        store.finish(acquired(claimAs("b", NOON.plusSeconds(10))), end(ClaimState.FAILED, "INSUFFICIENT_FUNDS"));

        assertThat(store.settle(seen, end(ClaimState.DONE, "DEBITED"))).isFalse();
        assertThat(stored().outcome()).isEqualTo("INSUFFICIENT_FUNDS");
    }

    @Test
    void aClaimThatItsOwnerEndedIsNotSettledAsAnOlderFailure() {
        store.finish(acquired(claimAs("a", NOON)), end(ClaimState.FAILED, "OUTCOME_UNKNOWN"));
        ClaimRecord seen = stored();
        store.reopen(key, Map.of(), NOON.plusSeconds(9));
        store.finish(acquired(claimAs("b", NOON.plusSeconds(10))), end(ClaimState.DONE, "DEBITED"));

        assertThat(store.settle(seen, end(ClaimState.DONE, "DEBITED_NOTIFICATION_FAILED")))
                .isFalse();
        assertThat(stored().outcome()).isEqualTo("DEBITED");
    }

    @Test
    void aClaimThatIsNotThereIsNotSettled() {
        store.finish(acquired(claimAs("a", NOON)), end(ClaimState.FAILED, "OUTCOME_UNKNOWN"));
        ClaimRecord seen = stored();
        key = new ClaimKey("contract", "K-" + UUID.randomUUID());
        ClaimRecord elsewhere = new ClaimRecord(
                key,
                seen.state(),
                seen.owner(),
                seen.fence(),
                seen.reopenedAtFence(),
                seen.leaseUntil(),
                seen.fingerprint(),
                seen.outcome(),
                seen.detail(),
                seen.createdAt(),
                seen.updatedAt(),
                seen.expiresAt());

        assertThat(store.settle(elsewhere, end(ClaimState.DONE, "DEBITED"))).isFalse();
        assertThat(store.find(key)).isEmpty();
    }

    @Test
    void ofFiftyAtOnceOneIsGranted() throws Exception {
        int racers = 50;
        CyclicBarrier start = new CyclicBarrier(racers);
        List<Callable<ClaimOutcome>> race = new ArrayList<>();
        for (int i = 0; i < racers; i++) {
            String owner = "racer-" + i;
            race.add(() -> {
                start.await();
                return claimAs(owner, NOON).outcome();
            });
        }
        AtomicInteger granted = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<ClaimOutcome> answer : threads.invokeAll(race)) {
                ClaimOutcome outcome = answer.get();
                assertThat(outcome).isIn(ClaimOutcome.ACQUIRED, ClaimOutcome.DUPLICATE_IN_PROGRESS);
                granted.addAndGet(outcome == ClaimOutcome.ACQUIRED ? 1 : 0);
            }
        }
        assertThat(granted).hasValue(1);
        assertThat(stored().fence()).isEqualTo(1);
    }
}
