package com.finedge.once.adapter.postgres;

import com.finedge.once.billing.BilledCharge;
import com.finedge.once.billing.BilledCharges;
import com.finedge.once.billing.Settlement;
import com.finedge.once.contract.ChargeRecovered;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/** Billed charges in the table {@code charge}. */
public final class PostgresCharges implements BilledCharges {

    // The amount as text: a number could come back with an exponent.
    private static final String SELECT = """
            SELECT charge_id, account_id, charge_type, CAST(amount AS text) AS amount, currency, due_at, raised_at,
                state, outcome, debit_reference, code, reason, settled_at
            FROM charge WHERE charge_id = :id""";

    private final JdbcClient jdbc;
    private final TransactionOperations transactions;

    /** @param transactions of the same data source, joining a transaction that the caller has begun */
    public PostgresCharges(JdbcClient jdbc, TransactionOperations transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    @Override
    public <T> T inTransaction(Supplier<T> work) {
        return Objects.requireNonNull(transactions.execute(status -> work.get()));
    }

    /** By the row count, not by an exception: that would have aborted the transaction. */
    @Override
    public boolean add(BilledCharge charge) {
        return jdbc.sql("""
                                INSERT INTO charge
                                    (charge_id, account_id, charge_type, amount, currency, due_at, raised_at)
                                VALUES (:id, :account, :type, CAST(:amount AS numeric), :currency, :dueAt, :raisedAt)
                                ON CONFLICT DO NOTHING""")
                        .param("id", charge.chargeId())
                        .param("account", charge.accountId())
                        .param("type", charge.chargeType())
                        .param("amount", charge.amount())
                        .param("currency", charge.currency())
                        .param("dueAt", utc(charge.dueAt()))
                        .param("raisedAt", utc(charge.raisedAt()))
                        .update()
                == 1;
    }

    @Override
    public Optional<BilledCharge> find(String chargeId) {
        return select(SELECT, chargeId);
    }

    @Override
    public Optional<BilledCharge> lock(String chargeId) {
        return select(SELECT + " FOR UPDATE", chargeId);
    }

    private Optional<BilledCharge> select(String sql, String chargeId) {
        // No text of PostgreSQL has this character, and it refuses to look for one.
        if (chargeId.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        return jdbc.sql(sql)
                .param("id", chargeId)
                .query(PostgresCharges::charge)
                .optional();
    }

    @Override
    public void settle(String chargeId, Settlement settlement) {
        switch (settlement) {
            case Settlement.Recovered(var outcome, var debitReference, var at) ->
                settle(chargeId, "RECOVERED", at, outcome.name(), debitReference, null, null);
            case Settlement.Failed(var code, var reason, var at) ->
                settle(chargeId, "FAILED", at, null, null, code, reason);
        }
    }

    private void settle(
            String chargeId,
            String state,
            Instant at,
            @Nullable String outcome,
            @Nullable String debitReference,
            @Nullable String code,
            @Nullable String reason) {
        jdbc.sql("""
                        UPDATE charge SET state = :state, settled_at = :at, outcome = :outcome,
                            debit_reference = :debitReference, code = :code, reason = :reason
                        WHERE charge_id = :id""")
                .param("state", state)
                .param("at", utc(at))
                .param("outcome", outcome)
                .param("debitReference", debitReference)
                .param("code", code)
                .param("reason", reason)
                .param("id", chargeId)
                .update();
    }

    private static BilledCharge charge(ResultSet row, int number) throws SQLException {
        return new BilledCharge(
                row.getString("charge_id"),
                row.getString("account_id"),
                row.getString("charge_type"),
                row.getString("amount"),
                row.getString("currency"),
                time(row, "due_at"),
                time(row, "raised_at"),
                settlement(row));
    }

    private static @Nullable Settlement settlement(ResultSet row) throws SQLException {
        return switch (row.getString("state")) {
            case "RAISED" -> null;
            case "RECOVERED" ->
                new Settlement.Recovered(
                        ChargeRecovered.Outcome.valueOf(row.getString("outcome")),
                        row.getString("debit_reference"),
                        time(row, "settled_at"));
            case "FAILED" ->
                new Settlement.Failed(row.getString("code"), row.getString("reason"), time(row, "settled_at"));
            default -> throw new IllegalStateException("the table charge holds a state that this version doesn't know");
        };
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
