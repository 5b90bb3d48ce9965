package com.finedge.once.adapter.postgres;

import com.finedge.once.saga.Answer;
import com.finedge.once.saga.Operation;
import com.finedge.once.saga.ParticipantStore;
import com.finedge.once.saga.ReplyOutcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What participants have answered, in the table {@code participant_op}. */
public final class PostgresParticipantStore implements ParticipantStore {

    private final JdbcClient jdbc;
    private final InstantSource clock;

    public PostgresParticipantStore(JdbcClient jdbc, InstantSource clock) {
        this.jdbc = jdbc;
        this.clock = clock;
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
                        SELECT fwd_state, fwd_type, fwd_reply, comp_state, comp_type, comp_reply
                        FROM participant_op WHERE saga_id = :saga AND step = :step FOR UPDATE""")
                .param("saga", sagaId)
                .param("step", step)
                .query((row, number) -> new Operation(answer(row, "fwd"), answer(row, "comp")))
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

    @Override
    public void acted(UUID sagaId, String step, Answer answer) {
        record("fwd", sagaId, step, answer);
    }

    @Override
    public void undone(UUID sagaId, String step, Answer answer) {
        record("comp", sagaId, step, answer);
    }

    private void record(String direction, UUID sagaId, String step, Answer answer) {
        int rows = jdbc.sql("""
                        UPDATE participant_op SET %1$s_state = :state, %1$s_type = :type,
                            %1$s_reply = CAST(:reply AS jsonb), %1$s_at = :at
                        WHERE saga_id = :saga AND step = :step AND %1$s_state IS NULL""".formatted(direction))
                .param("state", answer.outcome().name())
                .param("type", answer.type())
                .param("reply", Json.write(answer.data().values()))
                .param("at", clock.instant().atOffset(ZoneOffset.UTC))
                .param("saga", sagaId)
                .param("step", step)
                .update();
        if (rows != 1) {
            throw new IllegalStateException(
                    "step %s of saga %s isn't locked or was answered before".formatted(step, sagaId));
        }
    }
}
