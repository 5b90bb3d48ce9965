package com.finedge.once.adapter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimOutcome;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.ClaimWrite;
import com.finedge.once.claim.Fingerprint;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Claims in the transaction of the work that they are for: both or neither, and others wait for the truth. */
class JdbcClaimTransactionIT {

    private static final PostgresServer SERVER = LocalServices.shared().postgres();
    private static final ClaimKey KEY = new ClaimKey("local-work", "K-1");
    private static final Fingerprint CONTENT = Fingerprint.of("x");
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Instant LATER = NOON.plus(LEASE).plusSeconds(1);

    private final PostgresServer.Database database = SERVER.fresh().migrated();
    private final HikariDataSource pool = database.pool(10);
    private final JdbcClient jdbc = JdbcClient.create(pool);
    private final TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
    private final ExecutorService others = Executors.newVirtualThreadPerTaskExecutor();
    private final JdbcClaimStore store = new JdbcClaimStore(pool, Duration.ofSeconds(10));
    private final JdbcClaimStore impatient = new JdbcClaimStore(pool, Duration.ofSeconds(1));

    @BeforeEach
    void aTableToWorkOn() {
        JdbcClient owner = JdbcClient.create(database.ownersDataSource());
        owner.sql("CREATE TABLE work (by text NOT NULL)").update();
        owner.sql("GRANT ALL ON work TO once").update();
    }

    @AfterEach
    void close() {
        others.shutdownNow();
        pool.close();
    }

    private static ClaimResult claim(JdbcClaimStore store, String owner, Instant now) {
        return store.claim(new ClaimRequest(KEY, CONTENT, owner, now, now.plus(LEASE)));
    }

    private Claim acquired(String owner, Instant now) {
        return ((ClaimResult.Acquired) claim(store, owner, now)).claim();
    }

    private static ClaimEnd done(Instant at) {
        return new ClaimEnd(ClaimState.DONE, "WORKED", Map.of("by", "test"), at, at.plus(Duration.ofDays(60)));
    }

    private void work(String by) {
        jdbc.sql("INSERT INTO work VALUES (?)").param(by).update();
    }

    private void claimWorkAndFinish(String owner) {
        Claim claim = acquired(owner, NOON);
        work(owner);
        assertThat(store.finish(claim, done(NOON))).isEqualTo(ClaimWrite.WRITTEN);
    }

    private Iterable<String> worked() {
        return jdbc.sql("SELECT by FROM work").query(String.class).list();
    }

    private Optional<ClaimState> state() {
        return store.find(KEY).map(ClaimRecord::state);
    }

    /** Seen from outside of any transaction of the calling thread. */
    private <T> Future<T> elsewhere(Supplier<T> act) {
        return others.submit(act::get);
    }

    private void untilSomebodyWaits() {
        JdbcClient observer = JdbcClient.create(database.dataSource());
        await().atMost(Duration.ofSeconds(5))
                .until(() -> observer.sql(
                                        "SELECT count(*) FROM pg_stat_activity WHERE datname = ? AND wait_event_type = 'Lock'")
                                .param(database.name())
                                .query(Long.class)
                                .single()
                        == 1);
    }

    private static <T> T result(@Nullable Future<T> future) {
        try {
            return Objects.requireNonNull(future).get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void claimWorkAndEndAreCommittedTogether() {
        transaction.executeWithoutResult(status -> {
            claimWorkAndFinish("a");
            assertThat(result(elsewhere(this::state)))
                    .as("seen by others before the commit")
                    .isEmpty();
        });

        assertThat(state()).contains(ClaimState.DONE);
        assertThat(worked()).containsExactly("a");
    }

    @Test
    void aRollbackLeavesNeitherClaimNorWork() {
        assertThatIllegalStateException()
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    claimWorkAndFinish("a");
                    throw new IllegalStateException("after the end, before the commit");
                }));

        assertThat(state()).isEmpty();
        assertThat(worked()).isEmpty();
        assertThat(acquired("b", NOON).fence()).isEqualTo(1);
    }

    @Test
    void aRollbackOfTheEndLeavesTheClaimToItsLease() {
        Claim claim = acquired("a", NOON);

        transaction.executeWithoutResult(status -> {
            work("a");
            assertThat(store.finish(claim, done(NOON))).isEqualTo(ClaimWrite.WRITTEN);
            status.setRollbackOnly();
        });

        assertThat(state()).contains(ClaimState.IN_PROGRESS);
        assertThat(worked()).isEmpty();
        assertThat(claim(store, "b", NOON).outcome()).isEqualTo(ClaimOutcome.DUPLICATE_IN_PROGRESS);
        assertThat(acquired("b", LATER).attempt()).isEqualTo(2);
    }

    @Test
    void aLateOwnersEndWritesNothingAndItsWorkIsRolledBack() {
        Claim late = acquired("late", NOON);
        Claim successor = acquired("successor", LATER);
        transaction.executeWithoutResult(status -> {
            work("successor");
            store.finish(successor, done(LATER));
        });
        Optional<ClaimRecord> before = store.find(KEY);

        transaction.executeWithoutResult(status -> {
            work("late");
            if (store.finish(late, done(LATER)) == ClaimWrite.LEASE_LOST) {
                status.setRollbackOnly();
            }
        });

        assertThat(store.find(KEY)).isEqualTo(before);
        assertThat(worked()).containsExactly("successor");
    }

    /** The lease was over when the successor asked, but the end was written already and only its commit was to come. */
    @Test
    void anEndThatIsBeingCommittedCanNotBeTakenOver() {
        Claim claim = acquired("a", NOON);

        Future<ClaimResult> competing = transaction.execute(status -> {
            store.finish(claim, done(NOON));
            Future<ClaimResult> asking = elsewhere(() -> claim(store, "b", LATER));
            untilSomebodyWaits();
            return asking;
        });

        assertThat(result(competing).outcome()).isEqualTo(ClaimOutcome.DUPLICATE_DONE);
    }

    @Test
    void aCompetingClaimWaitsForTheCommitAndSeesTheEnd() {
        Future<ClaimResult> competing = transaction.execute(status -> {
            claimWorkAndFinish("a");
            Future<ClaimResult> asking = elsewhere(() -> claim(store, "b", NOON));
            untilSomebodyWaits();
            return asking;
        });

        assertThat(result(competing))
                .isInstanceOfSatisfying(
                        ClaimResult.Done.class,
                        duplicate -> assertThat(duplicate.existing().detail()).containsEntry("by", "test"));
    }

    @Test
    void aCompetingClaimWaitsForARollbackAndIsGranted() {
        Future<ClaimResult> competing = transaction.execute(status -> {
            claimWorkAndFinish("a");
            Future<ClaimResult> asking = elsewhere(() -> claim(store, "b", NOON));
            untilSomebodyWaits();
            status.setRollbackOnly();
            return asking;
        });

        assertThat(result(competing).outcome()).isEqualTo(ClaimOutcome.ACQUIRED);
        assertThat(store.find(KEY)).get().extracting(ClaimRecord::owner).isEqualTo("b");
    }

    /** Both see a lease that is over; the second is judged by what the first has made of the row. */
    @Test
    void ofTwoTakeoversTheSecondWaitsAndIsRefused() {
        acquired("crashed", NOON);

        Future<ClaimResult> competing = transaction.execute(status -> {
            ClaimResult.Acquired taken = (ClaimResult.Acquired) claim(store, "a", LATER);
            assertThat(taken.takenOverFrom()).isEqualTo("crashed");
            Future<ClaimResult> asking = elsewhere(() -> claim(store, "b", LATER));
            untilSomebodyWaits();
            return asking;
        });

        assertThat(result(competing))
                .isInstanceOfSatisfying(
                        ClaimResult.InProgress.class,
                        refused -> assertThat(refused.existing().owner()).isEqualTo("a"));
        assertThat(store.find(KEY)).get().extracting(ClaimRecord::fence).isEqualTo(2L);
    }

    @Test
    void whoeverWaitsTooLongGetsAFaultAndDoesNotHang() {
        Claim claim = acquired("a", NOON);
        transaction.executeWithoutResult(status -> {
            store.finish(claim, done(NOON));
            Future<?> asking = elsewhere(() -> claim(impatient, "b", LATER));
            Future<?> renewing = elsewhere(() -> impatient.renew(claim, NOON, LATER));

            assertThatThrownBy(() -> asking.get(5, TimeUnit.SECONDS)).hasCauseInstanceOf(ClaimStoreException.class);
            assertThatThrownBy(() -> renewing.get(5, TimeUnit.SECONDS)).hasCauseInstanceOf(ClaimStoreException.class);
        });

        assertThat(state()).as("the one that was waited for").contains(ClaimState.DONE);
    }

    /** The transaction of somebody who was refused may last; the owner must not wait for it. */
    @Test
    void aRefusedClaimHoldsUpNobody() {
        Claim claim = acquired("a", NOON);

        transaction.executeWithoutResult(status -> {
            assertThat(claim(store, "b", NOON).outcome()).isEqualTo(ClaimOutcome.DUPLICATE_IN_PROGRESS);
            assertThat(result(elsewhere(() -> impatient.finish(claim, done(NOON)))))
                    .isEqualTo(ClaimWrite.WRITTEN);
        });

        assertThat(state()).contains(ClaimState.DONE);
    }

    /** A duplicate-key exception would have ended the transaction. */
    @Test
    void aRefusedClaimLeavesTheTransactionWhole() {
        acquired("a", NOON);

        transaction.executeWithoutResult(status -> {
            claim(store, "b", NOON);
            work("something else");
        });

        assertThat(worked()).containsExactly("something else");
    }

    @Test
    void inATransactionThatHasFailedAlreadyNothingIsAnswered() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    assertThatThrownBy(() -> work("\0")).hasRootCauseInstanceOf(PSQLException.class);
                    claim(store, "a", NOON);
                }))
                .isInstanceOf(ClaimStoreException.class);

        assertThat(state()).isEmpty();
    }

    /** Its view of the table is from before the other's commit: a guess would grant the claim twice. */
    @Test
    void aTransactionThatSeesThePastOnlyGetsAFault() {
        TransactionTemplate ofThePast = new TransactionTemplate(new DataSourceTransactionManager(pool));
        ofThePast.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);

        assertThatThrownBy(() -> ofThePast.executeWithoutResult(status -> {
                    assertThat(worked()).isEmpty();
                    result(elsewhere(() -> claim(store, "a", NOON)));
                    claim(store, "b", NOON);
                }))
                .isInstanceOf(ClaimStoreException.class);
    }
}
