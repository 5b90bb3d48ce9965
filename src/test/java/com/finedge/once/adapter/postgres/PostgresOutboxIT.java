package com.finedge.once.adapter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.outbox.LeasedMessage;
import com.finedge.once.outbox.OutboxMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox in the database: what goes in with a transaction, and who may take it out. */
class PostgresOutboxIT {

    private static final PostgresServer SERVER = LocalServices.shared().postgres();
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration NONE = Duration.ZERO;
    private static final UUID RELAY = UUID.randomUUID();
    private static final UUID OTHER_RELAY = UUID.randomUUID();

    private PostgresServer.Database database = SERVER.fresh();
    private DataSource dataSource = database.dataSource();
    private TransactionTemplate transaction = transactionsOf(dataSource);
    private PostgresOutbox outbox = new PostgresOutbox(dataSource);
    private JdbcClient jdbc = JdbcClient.create(dataSource);

    @BeforeEach
    void migrate() {
        database.migrated();
    }

    private static TransactionTemplate transactionsOf(DataSource dataSource) {
        return new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    }

    private static OutboxMessage message(String id) {
        return new OutboxMessage(id, "some-queue", "{}", null, Map.of());
    }

    private static OutboxMessage message(String id, @Nullable String orderKey) {
        return new OutboxMessage(id, "some-queue", "{}", orderKey, Map.of());
    }

    private void add(OutboxMessage... messages) {
        transaction.executeWithoutResult(status -> List.of(messages).forEach(outbox::add));
    }

    private List<LeasedMessage> lease() {
        return outbox.lease(RELAY, 100, LEASE);
    }

    private static List<String> ids(List<LeasedMessage> leased) {
        return leased.stream().map(one -> one.message().id()).toList();
    }

    private LeasedMessage leaseOne() {
        List<LeasedMessage> leased = lease();
        assertThat(leased).hasSize(1);
        return leased.get(0);
    }

    private void makeAllDue() {
        jdbc.sql("UPDATE outbox SET due_at = now() - interval '1 s'").update();
    }

    private @Nullable Object column(String column, String id) {
        return jdbc.sql("SELECT " + column + " FROM outbox WHERE event_id = ?")
                .param(id)
                .query()
                .singleRow()
                .get(column);
    }

    @Test
    void aMessageComesOutAsItWentIn() {
        OutboxMessage message = new OutboxMessage(
                "e-1", "some-queue", "{\"text\":\"ü \uD83D\uDE00\"}", "ACC-1", Map.of("traceparent", "00-a-b-01"));

        add(message);

        LeasedMessage leased = leaseOne();
        assertThat(leased.message()).isEqualTo(message);
        assertThat(leased.failures()).isZero();
        assertThat(leased.isResend()).isFalse();
    }

    @Test
    void aTransactionThatIsRolledBackLeavesNothing() {
        transaction.executeWithoutResult(status -> {
            outbox.add(message("e-1"));
            status.setRollbackOnly();
        });

        assertThat(lease()).isEmpty();
    }

    @Test
    void anExceptionAfterTheMessageLeavesNothing() {
        assertThatIllegalStateException()
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    outbox.add(message("e-1"));
                    throw new IllegalStateException("between the message and the commit");
                }));

        assertThat(lease()).isEmpty();
    }

    @Test
    void aConstraintThatFailsAtTheCommitLeavesNothing() {
        JdbcClient owner = JdbcClient.create(database.ownersDataSource());
        owner.sql("CREATE TABLE parent (id int PRIMARY KEY)").update();
        owner.sql("CREATE TABLE child (id int REFERENCES parent DEFERRABLE INITIALLY DEFERRED)")
                .update();
        owner.sql("GRANT ALL ON child, parent TO once").update();

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    jdbc.sql("INSERT INTO child VALUES (1)").update();
                    outbox.add(message("e-1"));
                }))
                .hasRootCauseInstanceOf(PSQLException.class)
                .hasStackTraceContaining("child_id_fkey");

        assertThat(lease()).isEmpty();
    }

    @Test
    void aMessageIsRefusedOutsideATransaction() {
        assertThatIllegalStateException()
                .isThrownBy(() -> outbox.add(message("e-1")))
                .withMessageContaining("within a transaction");
        assertThat(lease()).isEmpty();
    }

    @Test
    void aMessageIsRefusedInATransactionOfAnotherDatabase() {
        TransactionTemplate elsewhere = transactionsOf(SERVER.fresh().dataSource());

        assertThatIllegalStateException()
                .isThrownBy(() -> elsewhere.executeWithoutResult(status -> outbox.add(message("e-1"))));
        assertThat(lease()).isEmpty();
    }

    @Test
    void aMessageIsRefusedOnAThreadThatTheTransactionIsNotOf() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
                        other.submit(() -> outbox.add(message("e-1"))).get();
                    } catch (Exception e) {
                        throw new IllegalStateException(e.getCause());
                    }
                }))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .rootCause()
                .hasMessageContaining("within a transaction");
        assertThat(lease()).isEmpty();
    }

    @Test
    void aRowThatCommitsLateIsNotPassedOver() throws Exception {
        CountDownLatch inserted = new CountDownLatch(1);
        CountDownLatch commit = new CountDownLatch(1);
        try (ExecutorService late = Executors.newSingleThreadExecutor()) {
            Future<?> transactionOfTheFirst = late.submit(() -> transaction.executeWithoutResult(status -> {
                outbox.add(message("e-101"));
                inserted.countDown();
                await(commit);
            }));
            await(inserted);
            add(message("e-102"));

            List<LeasedMessage> first = lease();
            assertThat(ids(first)).containsExactly("e-102");
            assertThat(outbox.sent(RELAY, Map.of(first.get(0), "m-102"))).isEqualTo(1);
            assertThat(lease()).isEmpty();

            commit.countDown();
            transactionOfTheFirst.get(10, TimeUnit.SECONDS);
        }
        assertThat(ids(lease())).containsExactly("e-101");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsLeasedIsKeptFromOthersUntilTheLeaseEnds() {
        add(message("e-1"));
        leaseOne();

        assertThat(outbox.lease(OTHER_RELAY, 100, LEASE)).isEmpty();

        makeAllDue();
        List<LeasedMessage> again = outbox.lease(OTHER_RELAY, 100, LEASE);
        assertThat(ids(again)).containsExactly("e-1");
        assertThat(again.get(0).isResend()).isTrue();
    }

    @Test
    void aLateRelayChangesNothing() {
        add(message("e-1"));
        LeasedMessage before = leaseOne();
        makeAllDue();
        LeasedMessage after = outbox.lease(OTHER_RELAY, 100, LEASE).get(0);

        assertThat(outbox.sent(RELAY, Map.of(before, "m-1"))).isZero();
        assertThat(outbox.giveBack(RELAY, before, "late", 1, NONE)).isFalse();
        assertThat(outbox.park(RELAY, before, "late")).isFalse();
        assertThat(outbox.sent(OTHER_RELAY, Map.of(before, "m-1"))).isZero();
        assertThat(column("state", "e-1")).isEqualTo("PENDING");

        assertThat(outbox.sent(OTHER_RELAY, Map.of(after, "m-2"))).isEqualTo(1);
        assertThat(column("sent_as", "e-1")).isEqualTo("m-2");
    }

    @Test
    void theSameRelayMayNotMarkWhatItHasLeasedAgainMeanwhile() {
        add(message("e-1"));
        LeasedMessage before = leaseOne();
        makeAllDue();
        LeasedMessage again = leaseOne();

        assertThat(outbox.sent(RELAY, Map.of(before, "m-1"))).isZero();
        assertThat(outbox.sent(RELAY, Map.of(again, "m-2"))).isEqualTo(1);
    }

    @Test
    void whatIsSentIsNeverLeasedAgain() {
        add(message("e-1"));
        outbox.sent(RELAY, Map.of(leaseOne(), "m-1"));
        makeAllDue();

        assertThat(lease()).isEmpty();
    }

    @Test
    void ofAnOrderKeyOnlyTheFirstUnsentMessageIsLeased() {
        add(message("e-1", "A"), message("e-2", "A"), message("e-3", "B"), message("e-4"));

        List<LeasedMessage> first = lease();
        assertThat(ids(first)).containsExactlyInAnyOrder("e-1", "e-3", "e-4");
        assertThat(lease()).as("while the first is leased").isEmpty();

        outbox.sent(RELAY, Map.of(ofId(first, "e-1"), "m-1"));
        assertThat(ids(lease())).containsExactly("e-2");
    }

    private static LeasedMessage ofId(List<LeasedMessage> leased, String id) {
        return leased.stream()
                .filter(one -> one.message().id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aParkedMessageHoldsBackItsOwnOrderKeyOnly() {
        add(message("e-1", "A"), message("e-2", "A"), message("e-3", "B"));
        List<LeasedMessage> first = lease();

        assertThat(outbox.park(RELAY, ofId(first, "e-1"), "no")).isTrue();
        outbox.sent(RELAY, Map.of(ofId(first, "e-3"), "m-3"));
        add(message("e-4", "B"), message("e-5", "A"));
        makeAllDue();

        assertThat(ids(lease())).containsExactly("e-4");
        assertThat(column("last_error", "e-1")).isEqualTo("no");

        assertThat(outbox.release("e-1")).isTrue();
        assertThat(ids(lease())).containsExactly("e-1");
    }

    @Test
    void whatComesAfterAParkedMessageIsDueAgainWhenItIsReleased() {
        add(message("e-1", "A"), message("e-2", "A"));
        outbox.park(RELAY, leaseOne(), "no");
        assertThat(column("due_at", "e-2")).as("waits with it").isEqualTo(column("due_at", "e-1"));

        assertThat(outbox.release("e-1")).isTrue();

        LeasedMessage first = leaseOne();
        assertThat(first.message().id()).isEqualTo("e-1");
        outbox.sent(RELAY, Map.of(first, "m-1"));
        assertThat(leaseOne().message().id()).isEqualTo("e-2");
    }

    @Test
    void whatComesAfterAMessageThatIsGivenBackWaitsWithIt() {
        add(message("e-1", "A"), message("e-2", "A"), message("e-3", "B"));
        List<LeasedMessage> leased = lease();

        outbox.giveBack(RELAY, ofId(leased, "e-1"), "not now", 1, Duration.ofHours(1));

        assertThat(column("due_at", "e-2")).isEqualTo(column("due_at", "e-1"));
        outbox.sent(RELAY, Map.of(ofId(leased, "e-3"), "m-3"));
        makeAllDue();
        LeasedMessage first = leaseOne();
        assertThat(first.message().id()).isEqualTo("e-1");
        outbox.sent(RELAY, Map.of(first, "m-1"));
        assertThat(leaseOne().message().id()).isEqualTo("e-2");
    }

    @Test
    void onlyAParkedMessageIsReleased() {
        add(message("e-1"));

        assertThat(outbox.release("e-1")).isFalse();
        assertThat(outbox.release("e-unknown")).isFalse();
    }

    @Test
    void whatIsGivenBackWaitsForItsDelay() {
        add(message("e-1"), message("e-2"));
        List<LeasedMessage> leased = lease();

        assertThat(outbox.giveBack(RELAY, ofId(leased, "e-1"), "x".repeat(600), 3, Duration.ofHours(1)))
                .isTrue();
        assertThat(outbox.giveBack(RELAY, ofId(leased, "e-2"), "soon", 1, NONE)).isTrue();

        List<LeasedMessage> again = lease();
        assertThat(ids(again)).containsExactly("e-2");
        assertThat(again.get(0).failures()).isEqualTo(1);
        assertThat((String) column("last_error", "e-1")).hasSize(500);
    }

    /** Had the plan run the sub-select more than once, more would come. */
    @Test
    void neverMoreThanAskedForAreLeased() {
        transaction.executeWithoutResult(status -> {
            for (int i = 0; i < 50; i++) {
                outbox.add(message("e-" + i, i % 2 == 0 ? "key-" + i : null));
            }
        });

        assertThat(outbox.lease(RELAY, 7, LEASE)).hasSize(7);
        assertThat(outbox.lease(RELAY, 100, LEASE)).hasSize(43);
    }

    @Test
    void relaysSideBySideNeverLeaseTheSame() throws Exception {
        int messages = 2_000;
        transaction.executeWithoutResult(status -> {
            for (int i = 0; i < messages; i++) {
                outbox.add(message("e-" + i, i % 3 == 0 ? "key-" + i % 200 : null));
            }
        });
        Callable<List<String>> relay = () -> {
            UUID owner = UUID.randomUUID();
            List<String> mine = new ArrayList<>();
            for (int idle = 0; idle < 20; ) {
                List<LeasedMessage> leased = outbox.lease(owner, 25, LEASE);
                idle = leased.isEmpty() ? idle + 1 : 0;
                leased.forEach(one -> {
                    mine.add(one.message().id());
                    assertThat(outbox.sent(owner, Map.of(one, "m"))).isEqualTo(1);
                });
            }
            return mine;
        };

        List<String> all = new ArrayList<>();
        try (ExecutorService relays = Executors.newFixedThreadPool(6)) {
            for (Future<List<String>> ids : relays.invokeAll(List.of(relay, relay, relay, relay, relay, relay))) {
                all.addAll(ids.get());
            }
        }

        Set<String> distinct = new HashSet<>(all);
        assertThat(all).hasSameSizeAs(distinct);
        assertThat(distinct).hasSize(messages);
    }

    @Test
    void anIdIsTakenOnce() {
        add(message("e-1"));

        assertThatThrownBy(() -> add(message("e-1"))).isInstanceOf(DataAccessException.class);
    }

    @Test
    void theBacklogIsWhatIsNotSent() {
        add(message("e-1"), message("e-2"), message("e-3"));
        List<LeasedMessage> leased = lease();
        outbox.sent(RELAY, Map.of(ofId(leased, "e-1"), "m-1"));
        outbox.park(RELAY, ofId(leased, "e-2"), "no");
        jdbc.sql("UPDATE outbox SET added_at = now() - interval '90 s'").update();

        var backlog = outbox.backlog();

        assertThat(backlog.pending()).isEqualTo(1);
        assertThat(backlog.parked()).isEqualTo(1);
        assertThat(backlog.oldestPending()).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(120));
    }

    @Test
    void onlyWhatWasSentLongAgoIsPurged() {
        add(message("e-1"), message("e-2"), message("e-3"), message("e-4"));
        List<LeasedMessage> leased = lease();
        outbox.sent(RELAY, Map.of(ofId(leased, "e-1"), "m-1", ofId(leased, "e-2"), "m-2"));
        outbox.park(RELAY, ofId(leased, "e-3"), "no");
        jdbc.sql("UPDATE outbox SET sent_at = now() - interval '2 h' WHERE event_id = 'e-1'")
                .update();

        assertThat(outbox.purge(Duration.ofHours(1), 100)).isEqualTo(1);
        assertThat(outbox.purge(NONE, 100)).isEqualTo(1);
        assertThat(outbox.purge(NONE, 100)).isZero();
        assertThat(jdbc.sql("SELECT event_id FROM outbox ORDER BY 1")
                        .query(String.class)
                        .list())
                .containsExactly("e-3", "e-4");
    }

    @Test
    void aPurgeTakesNoMoreAtOnceThanItMay() {
        add(message("e-1"), message("e-2"), message("e-3"));
        List<LeasedMessage> leased = lease();
        leased.forEach(one -> outbox.sent(RELAY, Map.of(one, "m")));

        assertThat(outbox.purge(NONE, 2)).isEqualTo(2);
        assertThat(outbox.purge(NONE, 2)).isEqualTo(1);
    }

    /** Rows that no relay would ever find would be lost quietly. */
    @Test
    void everyStateOfARowIsReachedByARelayOrByAnOperator() {
        assertThatThrownBy(() -> jdbc.sql(
                                "INSERT INTO outbox (event_id, queue, body, state) VALUES ('x', 'q', 'b', 'LOST')")
                        .update())
                .isInstanceOf(DataAccessException.class);
        assertThatThrownBy(() -> jdbc.sql(
                                "INSERT INTO outbox (event_id, queue, body, state) VALUES ('x', 'q', 'b', 'SENT')")
                        .update())
                .as("sent, but nobody knows when")
                .isInstanceOf(DataAccessException.class);
    }

    @Test
    void theApplicationsUserMayOnlyReadAndWriteRows() {
        for (String statement : List.of(
                "DROP TABLE outbox",
                "TRUNCATE outbox",
                "ALTER TABLE outbox DROP COLUMN body",
                "CREATE TABLE mine (id int)",
                "DROP TRIGGER outbox_added ON outbox",
                "SELECT pg_read_file('/etc/passwd')",
                "UPDATE flyway_schema_history SET success = false")) {
            assertThatThrownBy(() -> jdbc.sql(statement).update())
                    .as(statement)
                    .isInstanceOf(DataAccessException.class);
        }
    }
}
