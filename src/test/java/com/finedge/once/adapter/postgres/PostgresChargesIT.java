package com.finedge.once.adapter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.finedge.once.billing.BilledCharge;
import com.finedge.once.billing.IdempotencyKey;
import com.finedge.once.billing.IdempotencyKeys;
import com.finedge.once.billing.Settlement;
import com.finedge.once.claim.Fingerprint;
import com.finedge.once.contract.ChargeRecovered;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Charges and keys in the database: what comes out is what went in, and what can't be doesn't go in. */
class PostgresChargesIT {

    private static final Instant DUE = Instant.parse("2026-03-01T00:00:00.000001Z");
    private static final Instant RAISED = Instant.parse("2026-03-01T10:00:00.123456Z");
    private static final Instant SETTLED = Instant.parse("2099-12-31T23:59:59.999999Z");

    private final PostgresServer.Database database =
            LocalServices.shared().postgres().fresh();
    private final DataSource dataSource = database.dataSource();
    private final JdbcClient jdbc = JdbcClient.create(dataSource);
    private final PostgresCharges charges =
            new PostgresCharges(jdbc, new TransactionTemplate(new DataSourceTransactionManager(dataSource)));
    private final PostgresIdempotencyKeys keys = new PostgresIdempotencyKeys(jdbc);

    @BeforeEach
    void migrate() {
        database.migrated();
    }

    private static BilledCharge charge(String id, String amount, String currency, @Nullable Settlement settlement) {
        return new BilledCharge(id, "ACC-42", "SMS_ALERT_FEE", amount, currency, DUE, RAISED, settlement);
    }

    /** Often enough for the driver to read binary, which it does from the sixth time on. */
    @ParameterizedTest
    @CsvSource({"19.90, EUR", "10000, JPY", "1.234, KWD", "0.0001, CLF", "999999999999999999.9999, CLF"})
    void anAmountComesOutWithItsDigits(String amount, String currency) {
        for (int i = 0; i < 12; i++) {
            BilledCharge charge = charge("CHG-" + i, amount, currency, null);
            assertThat(charges.add(charge)).isTrue();
            assertThat(charges.find("CHG-" + i)).contains(charge);
        }
    }

    @Test
    void aSettlementComesOutAsItWentIn() {
        charges.add(charge("CHG-1", "19.90", "EUR", null));

        for (Settlement settlement : new Settlement[] {
            new Settlement.Failed("INSUFFICIENT_FUNDS", "r".repeat(256), SETTLED),
            new Settlement.Recovered(ChargeRecovered.Outcome.DEBITED, null, SETTLED),
            new Settlement.Recovered(ChargeRecovered.Outcome.DEBITED_NOTIFICATION_FAILED, "DBT/1", SETTLED)
        }) {
            charges.settle("CHG-1", settlement);
            assertThat(charges.find("CHG-1")).contains(charge("CHG-1", "19.90", "EUR", settlement));
        }
    }

    @Test
    void aChargeIsAddedOnce() {
        charges.add(charge("CHG-1", "19.90", "EUR", null));

        assertThat(charges.add(charge("CHG-1", "20.00", "EUR", null))).isFalse();
        assertThat(charges.find("CHG-1")).contains(charge("CHG-1", "19.90", "EUR", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CHG-9", "", "\u0000", "CHG-1\u0000", "' OR 1 = 1 --"})
    void anIdThatNoChargeHasIsNotFound(String id) {
        charges.add(charge("CHG-1", "19.90", "EUR", null));

        assertThat(charges.find(id)).isEmpty();
        assertThat(charges.lock(id)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "state = 'PAID'",
                "state = 'RECOVERED'",
                "state = 'RECOVERED', settled_at = now()",
                "state = 'FAILED', settled_at = now(), code = 'CODE'",
                "state = 'FAILED', settled_at = now(), reason = 'reason'",
                "state = 'FAILED', settled_at = now(), code = 'CODE', reason = 'reason', outcome = 'DEBITED'",
                "state = 'FAILED', settled_at = now(), code = 'CODE', reason = 'reason', debit_reference = 'DBT-1'",
                "state = 'FAILED', code = 'CODE', reason = 'reason'",
                "state = 'FAILED', settled_at = now(), code = 'CODE', reason = ''",
                "settled_at = now()",
                "outcome = 'DEBITED'",
                "code = 'CODE'",
                "amount = 0",
                "amount = -1",
                "amount = 1e18",
                "amount = 0.00001",
                "amount = 'NaN'",
                "currency = 'eur'",
                "account_id = ''",
                "charge_id = repeat('x', 129)"
            })
    void whatCannotBeIsRefusedByTheDatabase(String change) {
        charges.add(charge("CHG-1", "19.90", "EUR", null));

        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> jdbc.sql("UPDATE charge SET " + change).update());
    }

    @Test
    void theApplicationMayNotDeleteCharges() {
        assertThatExceptionOfType(BadSqlGrammarException.class)
                .isThrownBy(() -> jdbc.sql("DELETE FROM charge").update())
                .withStackTraceContaining("permission denied");
    }

    @Test
    void aKeyIsUsedOnceAndForAChargeThatExists() {
        charges.add(charge("CHG-1", "19.90", "EUR", null));
        IdempotencyKey key = new IdempotencyKey("\"k\" \\ 1");
        var use = new IdempotencyKeys.Use(Fingerprint.of("content"), "CHG-1");

        keys.use(key, use);

        assertThat(keys.find(key)).contains(use);
        assertThat(keys.find(new IdempotencyKey("\"k\" \\ 2"))).isEmpty();
        assertThatExceptionOfType(DataIntegrityViolationException.class).isThrownBy(() -> keys.use(key, use));
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> keys.use(
                        new IdempotencyKey("k-2"), new IdempotencyKeys.Use(Fingerprint.of("content"), "CHG-9")));
    }

    @Test
    void noMoreKeysThanAskedForAreForgottenAtOnce() {
        charges.add(charge("CHG-1", "19.90", "EUR", null));
        for (int i = 0; i < 5; i++) {
            keys.use(new IdempotencyKey("k-" + i), new IdempotencyKeys.Use(Fingerprint.of("content"), "CHG-1"));
        }

        assertThat(keys.purge(Duration.ofHours(1), 100)).isZero();
        assertThat(keys.purge(Duration.ofMillis(-1), 3)).isEqualTo(3);
        assertThat(keys.purge(Duration.ofMillis(-1), 3)).isEqualTo(2);
    }
}
