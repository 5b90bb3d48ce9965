package com.finedge.once.adapter.postgres;

import com.finedge.once.saga.Answer;
import com.finedge.once.saga.Operation;
import com.finedge.once.saga.ParticipantStore;
import com.finedge.once.saga.ReplyOutcome;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.Started;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/** What participants have answered, in the table {@code participant_op}. */
public final class PostgresParticipantStore implements ParticipantStore {

    private final JdbcClient jdbc;
    private final TransactionOperations transactions;
    private final InstantSource clock;

    /** @param transactions of the same data source, joining a transaction that the caller has begun */
    public PostgresParticipantStore(JdbcClient jdbc, TransactionOperations transactions, InstantSource clock) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.clock = clock;
    }

    @Override
    public <T> T transact(Supplier<T> work) {
        return Objects.requireNonNull(transactions.execute(status -> work.get()));
    }

    /**
     * The row is made first, by the row count and not by an exception: there must be one to lock even for the first
     * command. Another transaction that makes the same one is waited for.
     */
    @Override
    public Operation lock(UUID sagaId, String step) {
        jdbc.sql("INSERT INTO participant_op (saga_id, step) VALUES (:saga, :step) ON CONFLICT DO NOTHING")
                .param("saga", sagaId)
                .param("step", step)
                .update();
        return jdbc.sql("""
                        SELECT fwd_state, fwd_type, fwd_reply, comp_state, comp_type, comp_reply,
                            commanded, open_until, undo_wanted, owner, lease_until
                        FROM participant_op WHERE saga_id = :saga AND step = :step FOR UPDATE""")
                .param("saga", sagaId)
                .param("step", step)
                .query((row, number) -> new Operation(answer(row, "fwd"), answer(row, "comp"), started(row)))
                .single();
    }

    private static @Nullable Answer answer(ResultSet row, String direction) throws SQLException {
        String outcome = row.getString(direction + "_state");
        return outcome == null
                ? null
                : new Answer(
                        ReplyOutcome.valueOf(outcome),
                        row.getString(direction + "_type"),
                        Json.readData(row.getString(direction + "_reply")));
    }

    private static @Nullable Started started(ResultSet row) throws SQLException {
        Instant openUntil = instant(row, "open_until");
        return openUntil == null
                ? null
                : new Started(
                        Json.readData(row.getString("commanded")),
                        openUntil,
                        row.getBoolean("undo_wanted"),
                        row.getObject("owner", UUID.class),
                        instant(row, "lease_until"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private OffsetDateTime now() {
        return utc(clock.instant());
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    @Override
    public void acted(UUID sagaId, String step, Answer answer) {
        record("fwd", "", sagaId, step, answer);
    }

    @Override
    public void undone(UUID sagaId, String step, Answer answer) {
        record("comp", ", owner = NULL, lease_until = NULL", sagaId, step, answer);
    }

    private void record(String direction, String besides, UUID sagaId, String step, Answer answer) {
        int rows = jdbc.sql("""
                        UPDATE participant_op SET %1$s_state = :state, %1$s_type = :type,
                            %1$s_reply = CAST(:reply AS jsonb), %1$s_at = :at%2$s
                        WHERE saga_id = :saga AND step = :step AND %1$s_state IS NULL""".formatted(direction, besides))
                .param("state", answer.outcome().name())
                .param("type", answer.type())
                .param("reply", Json.write(answer.data().values()))
                .param("at", now())
                .param("saga", sagaId)
                .param("step", step)
                .update();
        requireOne(rows, sagaId, step);
    }

    @Override
    public void start(UUID sagaId, String step, SagaData commanded, UUID owner, Instant until) {
        int rows = jdbc.sql("""
                        UPDATE participant_op SET started_at = COALESCE(started_at, :now),
                            commanded = COALESCE(commanded, CAST(:commanded AS jsonb)),
                            open_until = GREATEST(open_until, :until), owner = :owner, lease_until = :until
                        WHERE saga_id = :saga AND step = :step AND fwd_state IS NULL AND comp_state IS NULL""")
                .param("now", now())
                .param("commanded", Json.write(commanded.values()))
                .param("until", utc(until))
                .param("owner", owner)
                .param("saga", sagaId)
                .param("step", step)
                .update();
        requireOne(rows, sagaId, step);
    }

    @Override
    public void takeOver(UUID sagaId, String step, UUID owner, Instant until) {
        int rows = jdbc.sql("""
                        UPDATE participant_op SET owner = :owner, lease_until = :until
                        WHERE saga_id = :saga AND step = :step AND started_at IS NOT NULL AND comp_state IS NULL""")
                .param("owner", owner)
                .param("until", utc(until))
                .param("saga", sagaId)
                .param("step", step)
                .update();
        requireOne(rows, sagaId, step);
    }

    @Override
    public void wantUndo(UUID sagaId, String step) {
        jdbc.sql("UPDATE participant_op SET undo_wanted = true WHERE saga_id = ? AND step = ? AND NOT undo_wanted")
                .params(sagaId, step)
                .update();
    }

    @Override
    public void release(UUID sagaId, String step, UUID owner) {
        jdbc.sql("""
                        UPDATE participant_op SET owner = NULL, lease_until = NULL
                        WHERE saga_id = ? AND step = ? AND owner = ?""").params(sagaId, step, owner).update();
    }

    private static void requireOne(int rows, UUID sagaId, String step) {
        if (rows != 1) {
            throw new IllegalStateException(
                    "step %s of saga %s isn't locked or was answered before".formatted(step, sagaId));
        }
    }
}
