package com.finedge.once.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.finedge.once.adapter.json.ChargeDueEventJson;
import com.finedge.once.adapter.postgres.PostgresCharges;
import com.finedge.once.adapter.postgres.PostgresIdempotencyKeys;
import com.finedge.once.adapter.postgres.PostgresInbox;
import com.finedge.once.adapter.postgres.PostgresOutbox;
import com.finedge.once.billing.RaiseResult.ChargeExists;
import com.finedge.once.billing.RaiseResult.InFlight;
import com.finedge.once.billing.RaiseResult.KeyReused;
import com.finedge.once.billing.RaiseResult.Raised;
import com.finedge.once.billing.RaiseResult.Repeated;
import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.ChargeFailed;
import com.finedge.once.contract.ChargeOutcome;
import com.finedge.once.contract.ChargeRecovered;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.outbox.LeasedMessage;
import com.finedge.once.outbox.Outbox;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Billing on PostgreSQL: a charge, its event and its key are stored together, once. */
class BillingIT {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123456Z");
    private static final Instant DUE = Instant.parse("2026-03-01T00:00:00Z");
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private final PostgresServer.Database database =
            LocalServices.shared().postgres().fresh();
    private final DataSource dataSource = database.dataSource();
    private final JdbcClient jdbc = JdbcClient.create(dataSource);
    private final TransactionTemplate transaction =
            new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    private final PostgresCharges charges = new PostgresCharges(jdbc, transaction);
    private final PostgresIdempotencyKeys keys = new PostgresIdempotencyKeys(jdbc);
    private final PostgresOutbox outbox = new PostgresOutbox(dataSource);
    private final List<RaiseResult> told = new ArrayList<>();
    private final Billing billing = billing(outbox);

    @BeforeEach
    void migrate() {
        database.migrated();
    }

    private Billing billing(Outbox where) {
        return new Billing(
                charges,
                keys,
                Duration.ofDays(7),
                where,
                "charges",
                new ChargeDueEventJson()::write,
                Set.of("SMS_ALERT_FEE", "CARD_ANNUAL_FEE"),
                () -> NOW,
                UUID::randomUUID,
                told::add);
    }

    private static IdempotencyKey key(String value) {
        return new IdempotencyKey(value);
    }

    private static ChargeRequest request(@Nullable String chargeId) {
        return request(chargeId, "19.90");
    }

    private static ChargeRequest request(@Nullable String chargeId, String amount) {
        return new ChargeRequest(chargeId, "ACC-42", "SMS_ALERT_FEE", amount, "EUR", DUE);
    }

    private RaiseResult raise(String key, ChargeRequest request) {
        return billing.raise(key(key), request, null);
    }

    private List<LeasedMessage> announced() {
        return outbox.lease(UUID.randomUUID(), 100, Duration.ofSeconds(30));
    }

    private long rows(String table) {
        return jdbc.sql("SELECT count(*) FROM " + table).query(Long.class).single();
    }

    private void assertThatNothingIsStored() {
        assertThat(rows("charge")).isZero();
        assertThat(rows("outbox")).isZero();
        assertThat(rows("idempotency_key")).isZero();
    }

    @Test
    void aChargeIsStoredAndAnnouncedWithTheSameDigits() {
        RaiseResult result = billing.raise(key("k-1"), request("CHG-1", "19.9"), TRACE);

        BilledCharge expected = new BilledCharge("CHG-1", "ACC-42", "SMS_ALERT_FEE", "19.90", "EUR", DUE, NOW, null);
        assertThat(result).isEqualTo(new Raised(expected));
        assertThat(billing.find("CHG-1")).contains(expected);
        assertThat(announced()).singleElement().satisfies(leased -> {
            assertThat(leased.message().queue()).isEqualTo("charges");
            assertThat(leased.message().attributes()).isEqualTo(Map.of("traceparent", TRACE));
            assertThat(leased.message().orderKey()).isNull();
            ChargeDueEvent event =
                    new ChargeDueEventJson().read(leased.message().body());
            assertThat(event)
                    .isEqualTo(new ChargeDueEvent(
                            1, leased.message().id(), "CHG-1", "ACC-42", "SMS_ALERT_FEE", "19.90", "EUR", DUE, NOW));
        });
        assertThat(told).containsExactly(result);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\nX: y"
            })
    void aTraceThatIsNoneIsNotPassedOn(String traceparent) {
        billing.raise(key("k-1"), request("CHG-1"), traceparent);

        assertThat(announced())
                .singleElement()
                .satisfies(leased -> assertThat(leased.message().attributes()).isEmpty());
    }

    @Test
    void aChargeWithoutAnIdIsGivenOneOfItsOwn() {
        Raised first = (Raised) raise("k-1", request(null));
        Raised second = (Raised) raise("k-2", request(null));

        assertThat(first.charge().chargeId()).matches("CHG-[0-9a-f-]{36}");
        assertThat(second.charge().chargeId()).isNotEqualTo(first.charge().chargeId());
        assertThat(raise("k-1", request(null))).isEqualTo(new Repeated(first.charge()));
        assertThat(rows("charge")).isEqualTo(2);
    }

    @Test
    void theSameRequestAgainIsAnsweredAsAtFirstAndAnnouncedOnce() {
        Raised first = (Raised) raise("k-1", request("CHG-1", "19.9"));
        billing.settle(recovered("CHG-1", NOW));

        RaiseResult again = raise("k-1", request("CHG-1", "19.90"));

        assertThat(again).isEqualTo(new Repeated(first.charge()));
        assertThat(rows("outbox")).isEqualTo(1);
        assertThat(rows("charge")).isEqualTo(1);
    }

    @Test
    void aKeyIsNoGoodForAnotherRequest() {
        raise("k-1", request("CHG-1"));

        List<ChargeRequest> others = List.of(
                request("CHG-2"),
                request(null),
                request("CHG-1", "19.91"),
                new ChargeRequest("CHG-1", "ACC-43", "SMS_ALERT_FEE", "19.90", "EUR", DUE),
                new ChargeRequest("CHG-1", "ACC-42", "CARD_ANNUAL_FEE", "19.90", "EUR", DUE),
                new ChargeRequest("CHG-1", "ACC-42", "SMS_ALERT_FEE", "19.90", "USD", DUE),
                new ChargeRequest("CHG-1", "ACC-42", "SMS_ALERT_FEE", "19.90", "EUR", DUE.plusSeconds(1)));

        assertThat(others).allSatisfy(other -> assertThat(raise("k-1", other)).isEqualTo(new KeyReused()));
        assertThat(rows("charge")).isEqualTo(1);
        assertThat(rows("outbox")).isEqualTo(1);
    }

    @Test
    void aChargeIdIsRaisedOnceWhateverTheKey() {
        raise("k-1", request("CHG-1"));

        assertThat(raise("k-2", request("CHG-1", "19.9"))).isEqualTo(new ChargeExists("CHG-1", true));
        assertThat(raise("k-2", request("CHG-1", "20"))).isEqualTo(new ChargeExists("CHG-1", false));
        assertThat(raise("k-2", request("CHG-2"))).as("a refused key is unused").isInstanceOf(Raised.class);
        assertThat(rows("outbox")).isEqualTo(2);
    }

    @Test
    void whatIsNoValidChargeLeavesNothingAndItsKeyUnused() {
        assertThatExceptionOfType(InvalidMessageException.class)
                .isThrownBy(() -> raise("k-1", request("CHG-1", "-5")))
                .matches(e -> e.field().equals(Optional.of("amount")));
        assertThatExceptionOfType(InvalidMessageException.class)
                .isThrownBy(
                        () -> raise("k-1", new ChargeRequest("CHG-1", "ACC-42", "NO_SUCH_FEE", "19.90", "EUR", DUE)))
                .matches(e -> e.code() == InvalidMessageException.Code.UNKNOWN_CHARGE_TYPE);

        assertThatNothingIsStored();
        assertThat(raise("k-1", request("CHG-1"))).isInstanceOf(Raised.class);
    }

    @Test
    void aFailureBetweenTheChargeAndItsEventLeavesNothing() {
        Billing failing = billing(message -> {
            throw new IllegalStateException("the outbox is full");
        });

        assertThatIllegalStateException().isThrownBy(() -> failing.raise(key("k-1"), request("CHG-1"), null));

        assertThatNothingIsStored();
        assertThat(told).isEmpty();
        assertThat(raise("k-1", request("CHG-1"))).isInstanceOf(Raised.class);
    }

    @Test
    void aFailureAfterTheEventLeavesNothing() {
        Billing failing = billing(message -> {
            outbox.add(message);
            throw new IllegalStateException("between the event and the key");
        });

        assertThatIllegalStateException().isThrownBy(() -> failing.raise(key("k-1"), request("CHG-1"), null));

        assertThatNothingIsStored();
    }

    @Test
    void aRequestThatIsBeingWorkedOnIsInFlightForTheNextWhichWaitsForNothing() throws Exception {
        CountDownLatch stored = new CountDownLatch(1);
        CountDownLatch commit = new CountDownLatch(1);
        Billing slow = billing(message -> {
            outbox.add(message);
            stored.countDown();
            await(commit);
        });
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            Future<RaiseResult> first = other.submit(() -> slow.raise(key("k-1"), request("CHG-1"), null));
            await(stored);

            // On this thread: if it waited for the first, it would wait for ever.
            assertThat(raise("k-1", request("CHG-1"))).isEqualTo(new InFlight());
            assertThat(raise("k-2", request("CHG-2"))).as("another key").isInstanceOf(Raised.class);

            commit.countDown();
            assertThat(first.get(10, TimeUnit.SECONDS)).isInstanceOf(Raised.class);
        }
        assertThat(raise("k-1", request("CHG-1"))).isInstanceOf(Repeated.class);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void ofManyKeysForOneChargeAtOnceOneRaisesIt() throws Exception {
        List<Callable<RaiseResult>> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String key = "k-" + i;
            requests.add(() -> raise(key, request("CHG-1")));
        }
        List<RaiseResult> results = new ArrayList<>();
        try (ExecutorService senders = Executors.newFixedThreadPool(20)) {
            for (Future<RaiseResult> result : senders.invokeAll(requests)) {
                results.add(result.get());
            }
        }

        assertThat(results).filteredOn(Raised.class::isInstance).hasSize(1);
        assertThat(results)
                .filteredOn(result -> !(result instanceof Raised))
                .containsOnly(new ChargeExists("CHG-1", true));
        assertThat(rows("outbox")).isEqualTo(1);
        assertThat(rows("idempotency_key")).isEqualTo(1);
    }

    @Test
    void oldKeysAreForgottenAndTheirChargesAreNot() {
        raise("k-old", request("CHG-1"));
        raise("k-new", request("CHG-2"));
        jdbc.sql("UPDATE idempotency_key SET used_at = now() - interval '7 d 1 s' WHERE key = 'k-old'")
                .update();

        billing.forgetOldKeys();

        assertThat(keys.find(key("k-old"))).isEmpty();
        assertThat(keys.find(key("k-new"))).isPresent();
        assertThat(raise("k-old", request("CHG-1"))).isEqualTo(new ChargeExists("CHG-1", true));
    }

    @Test
    void moreOldKeysThanOneBatchHoldsAreForgotten() {
        raise("k-1", request("CHG-1"));
        jdbc.sql("""
                        INSERT INTO idempotency_key (key, fingerprint, charge_id, used_at)
                        SELECT 'old-' || n, repeat('0', 64), 'CHG-1', now() - interval '8 d'
                        FROM generate_series(1, 2500) AS n""").update();

        billing.forgetOldKeys();

        assertThat(rows("idempotency_key")).isEqualTo(1);
    }

    private static ChargeRecovered recovered(String chargeId, Instant at) {
        return ChargeRecovered.of(chargeId, ChargeRecovered.Outcome.DEBITED, "19.90", "EUR", Optional.of("DBT-1"), at);
    }

    private static ChargeFailed failed(String chargeId, Instant at) {
        return ChargeFailed.of(chargeId, 1, "INSUFFICIENT_FUNDS", "the bank refused", at);
    }

    private BilledCharge settled(ChargeOutcome... outcomes) {
        for (ChargeOutcome outcome : outcomes) {
            billing.settle(outcome);
        }
        return billing.find("CHG-1").orElseThrow();
    }

    @Test
    void anOutcomeSettlesItsCharge() {
        raise("k-1", request("CHG-1"));

        assertThat(billing.settle(failed("CHG-1", NOW))).isEqualTo(SettleResult.SETTLED);
        assertThat(settled().state()).isEqualTo(ChargeState.FAILED);
        assertThat(settled().settlement())
                .isEqualTo(new Settlement.Failed("INSUFFICIENT_FUNDS", "the bank refused", NOW));

        assertThat(billing.settle(recovered("CHG-1", NOW))).isEqualTo(SettleResult.SETTLED);
        assertThat(settled().state()).isEqualTo(ChargeState.RECOVERED);
        assertThat(settled().settlement())
                .isEqualTo(new Settlement.Recovered(ChargeRecovered.Outcome.DEBITED, "DBT-1", NOW));
    }

    @Test
    void aRecoveredChargeIsNotFailedByWhatComesLate() {
        raise("k-1", request("CHG-1"));
        billing.settle(recovered("CHG-1", NOW));

        assertThat(billing.settle(failed("CHG-1", NOW.plusSeconds(60)))).isEqualTo(SettleResult.UNCHANGED);
        assertThat(billing.settle(recovered("CHG-1", NOW.plusSeconds(60)))).isEqualTo(SettleResult.UNCHANGED);
        assertThat(settled().settlement())
                .isEqualTo(new Settlement.Recovered(ChargeRecovered.Outcome.DEBITED, "DBT-1", NOW));
    }

    @Test
    void anOutcomeThatComesWhileAnotherIsBeingRecordedIsJudgedByWhatThatLeaves() throws Exception {
        raise("k-1", request("CHG-1"));
        try (ExecutorService receiver = Executors.newSingleThreadExecutor()) {
            Future<SettleResult> late = charges.inTransaction(() -> {
                billing.settle(recovered("CHG-1", NOW));
                Future<SettleResult> failure =
                        receiver.submit(() -> billing.settle(failed("CHG-1", NOW.plusSeconds(60))));
                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> isWaitingForALock());
                return failure;
            });

            assertThat(late.get(10, TimeUnit.SECONDS)).isEqualTo(SettleResult.UNCHANGED);
        }
        assertThat(settled().state()).isEqualTo(ChargeState.RECOVERED);
    }

    private boolean isWaitingForALock() {
        return JdbcClient.create(database.dataSource())
                        .sql("SELECT count(*) FROM pg_stat_activity WHERE datname = ? AND wait_event_type = 'Lock'")
                        .param(database.name())
                        .query(Long.class)
                        .single()
                == 1;
    }

    @Test
    void anotherAmountThanWasBilledIsNotRecorded() {
        raise("k-1", request("CHG-1", "19.91"));

        assertThat(billing.settle(recovered("CHG-1", NOW))).isEqualTo(SettleResult.OTHER_AMOUNT);
        assertThat(settled().state()).isEqualTo(ChargeState.RAISED);
    }

    @Test
    void anOutcomeOfAnUnknownChargeIsAnAnswer() {
        assertThat(billing.settle(failed("CHG-9", NOW))).isEqualTo(SettleResult.UNKNOWN_CHARGE);
    }

    /** As its consumer will: a message that comes twice settles once, and one whose transaction fails not at all. */
    @Test
    void anOutcomeIsSettledInTheTransactionOfItsMessage() {
        raise("k-1", request("CHG-1"));
        PostgresInbox inbox = new PostgresInbox(jdbc, transaction, (consumer, isNew) -> {});

        assertThatIllegalStateException()
                .isThrownBy(() -> inbox.receive("billing", "m-1", () -> {
                    billing.settle(recovered("CHG-1", NOW));
                    throw new IllegalStateException("after it was settled");
                }));
        assertThat(settled().state()).isEqualTo(ChargeState.RAISED);

        inbox.receive("billing", "m-1", () -> billing.settle(recovered("CHG-1", NOW)));
        assertThat(settled().state()).isEqualTo(ChargeState.RECOVERED);
    }
}
