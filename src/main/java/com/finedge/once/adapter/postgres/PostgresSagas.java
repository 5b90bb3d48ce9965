package com.finedge.once.adapter.postgres;

import com.finedge.once.claim.Fingerprint;
import com.finedge.once.saga.Attention;
import com.finedge.once.saga.Decision;
import com.finedge.once.saga.Disposition;
import com.finedge.once.saga.ForwardStatus;
import com.finedge.once.saga.Phase;
import com.finedge.once.saga.Saga;
import com.finedge.once.saga.SagaCensus;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.SagaDefinition;
import com.finedge.once.saga.SagaDefinitions.DefinitionKey;
import com.finedge.once.saga.SagaOutcome;
import com.finedge.once.saga.SagaStore;
import com.finedge.once.saga.Step;
import com.finedge.once.saga.UndoStatus;
import com.finedge.once.saga.WakeUp;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.transaction.support.TransactionOperations;

/** Sagas in the tables {@code saga_…}; a transition is at most eight statements, one by a timer nine. */
public final class PostgresSagas implements SagaStore {

    /** Longer than any transition takes: whoever waits so long is better off coming again. */
    private static final String LOCK_TIMEOUT = "SET LOCAL lock_timeout = '2s'";

    private static final Duration LONG_AGO = Duration.ofDays(3650);

    private static final String SELECT = """
            SELECT saga_id, saga_type, definition_version, business_key, phase, state, outcome, current_step, version, data,
                parked, attention, cancel_requested, announced, traceparent, started_at, wake_at,
                extract(epoch FROM clock_timestamp() - wake_at) AS late
            FROM saga_instance""";

    private static final String IS_DUE = """
            wake_at <= now() AND phase <> 'ENDED' AND NOT parked
              AND (saga_type, definition_version) IN (SELECT * FROM unnest(:types, :versions))""";

    private static final String KEEP = "wake_at";
    private static final String AFTER = "now() + :delay * interval '1 ms'";
    private static final String NEVER = "NULL";

    private final JdbcClient jdbc;
    private final TransactionOperations transactions;

    /** @param transactions of the same data source */
    public PostgresSagas(JdbcClient jdbc, TransactionOperations transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    @Override
    public <T> T inTransaction(Supplier<T> work) {
        return Objects.requireNonNull(transactions.execute(status -> {
            jdbc.sql(LOCK_TIMEOUT).update();
            return work.get();
        }));
    }

    /**
     * Two statements and not one: a single one would read the steps as they were before the lock was had, and the
     * decision of whoever held it would be lost.
     */
    @Override
    public Optional<Saga> lock(UUID sagaId) {
        return jdbc.sql(SELECT + " WHERE saga_id = :id FOR UPDATE")
                .param("id", sagaId)
                .query(PostgresSagas::row)
                .optional()
                .map(row -> row.with(steps(sagaId)));
    }

    @Override
    public Optional<Due> lockDue(Collection<DefinitionKey> known) {
        return ofKnown(
                        jdbc.sql(SELECT + " WHERE " + IS_DUE + " ORDER BY wake_at LIMIT 1 FOR UPDATE SKIP LOCKED"),
                        known)
                .query(PostgresSagas::row)
                .optional()
                .map(row -> new Due(row.with(steps(row.saga().id())), row.late()));
    }

    @Override
    public boolean hasDue(Collection<DefinitionKey> known) {
        return ofKnown(jdbc.sql("SELECT EXISTS (SELECT 1 FROM saga_instance WHERE " + IS_DUE + ")"), known)
                .query(Boolean.class)
                .single();
    }

    private static StatementSpec ofKnown(StatementSpec statement, Collection<DefinitionKey> known) {
        List<DefinitionKey> keys = List.copyOf(known);
        return statement
                .param("types", keys.stream().map(DefinitionKey::type).toArray(String[]::new))
                .param(
                        "versions",
                        keys.stream().mapToInt(DefinitionKey::version).toArray());
    }

    private List<Step> steps(UUID sagaId) {
        return jdbc.sql("""
                        SELECT step, fwd_status, fwd_command_id, fwd_attempts, fwd_reply,
                            comp_status, comp_command_id, comp_attempts, comp_reply
                        FROM saga_step WHERE saga_id = :id ORDER BY position""").param("id", sagaId).query(PostgresSagas::step).list();
    }

    private static Step step(ResultSet row, int number) throws SQLException {
        return new Step(
                row.getString("step"),
                ForwardStatus.valueOf(row.getString("fwd_status")),
                row.getObject("fwd_command_id", UUID.class),
                row.getInt("fwd_attempts"),
                data(row.getString("fwd_reply")),
                UndoStatus.valueOf(row.getString("comp_status")),
                row.getObject("comp_command_id", UUID.class),
                row.getInt("comp_attempts"),
                data(row.getString("comp_reply")));
    }

    /** A row of {@code saga_instance}: the saga without its steps, and what is the store's alone. */
    private record Row(
            Saga saga, Instant startedAt, @Nullable Instant wakeAt, Duration late) {

        Saga with(List<Step> steps) {
            return new Saga(
                    saga.id(),
                    saga.type(),
                    saga.definitionVersion(),
                    saga.businessKey(),
                    saga.phase(),
                    saga.state(),
                    saga.outcome(),
                    saga.currentStep(),
                    saga.version(),
                    saga.data(),
                    steps,
                    saga.parked(),
                    saga.attention(),
                    saga.cancelRequested(),
                    saga.announced(),
                    saga.traceparent());
        }
    }

    private static Row row(ResultSet row, int number) throws SQLException {
        return new Row(
                new Saga(
                        row.getObject("saga_id", UUID.class),
                        row.getString("saga_type"),
                        row.getInt("definition_version"),
                        row.getString("business_key"),
                        Phase.valueOf(row.getString("phase")),
                        row.getString("state"),
                        constant(SagaOutcome::valueOf, row.getString("outcome")),
                        row.getString("current_step"),
                        row.getLong("version"),
                        Json.readData(row.getString("data")),
                        List.of(),
                        row.getBoolean("parked"),
                        constant(Attention::valueOf, row.getString("attention")),
                        row.getBoolean("cancel_requested"),
                        constant(SagaOutcome::valueOf, row.getString("announced")),
                        row.getString("traceparent")),
                time(row, "started_at"),
                row.getObject("wake_at") == null ? null : time(row, "wake_at"),
                seconds(row.getDouble("late")));
    }

    private static <E extends Enum<E>> @Nullable E constant(Function<String, E> named, @Nullable String name) {
        return name == null ? null : named.apply(name);
    }

    private static @Nullable SagaData data(@Nullable String json) {
        return json == null ? null : Json.readData(json);
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis((long) (seconds * 1000));
    }

    @Override
    public Optional<Duration> lastSent(Collection<String> messageIds) {
        return jdbc.sql("""
                        SELECT count(*) FILTER (WHERE state <> 'SENT') AS unsent,
                            extract(epoch FROM clock_timestamp() - max(sent_at)) AS age
                        FROM outbox WHERE event_id = ANY (:ids)""")
                .param("ids", messageIds.toArray(String[]::new))
                .query((row, number) -> row.getLong("unsent") > 0
                        ? Optional.<Duration>empty()
                        : Optional.of(row.getObject("age") == null ? LONG_AGO : seconds(row.getDouble("age"))))
                .single();
    }

    @Override
    public boolean answeredSince(String queue, Duration asked) {
        return jdbc.sql("""
                        SELECT EXISTS (
                            SELECT 1 FROM saga_step
                            WHERE fwd_queue = :queue AND fwd_asked_at > now() - :asked * interval '1 ms'
                              AND fwd_answered_at IS NOT NULL AND fwd_attempts = 1)""")
                .param("queue", queue)
                .param("asked", asked.toMillis())
                .query(Boolean.class)
                .single();
    }

    /** By the row count, not by an exception: that would have aborted the transaction. */
    @Override
    public boolean add(SagaDefinition definition, Decision started) {
        Saga saga = started.saga();
        String wake = wakeAt(started.wakeUp());
        int added = written(jdbc.sql("""
                                INSERT INTO saga_instance (saga_id, saga_type, definition_version, business_key, phase, state,
                                    outcome, current_step, version, data, parked, attention, attention_since,
                                    cancel_requested, announced, traceparent, ended_at, wake_at)
                                VALUES (:id, :type, :definitionVersion, :key, :phase, :state,
                                    :outcome, :step, :version, CAST(:data AS jsonb), :parked, :attention,
                                    CASE WHEN CAST(:attention AS text) IS NOT NULL THEN now() END,
                                    :cancelRequested, :announced, :traceparent,
                                    CASE WHEN CAST(:outcome AS text) IS NOT NULL THEN now() END, %s)
                                ON CONFLICT DO NOTHING""".formatted(wake)), started)
                .param("type", saga.type())
                .param("definitionVersion", saga.definitionVersion())
                .param("key", saga.businessKey())
                .param("traceparent", saga.traceparent())
                .update();
        if (added == 0) {
            return false;
        }
        List<Step> steps = saga.steps();
        changed(jdbc.sql("""
                                INSERT INTO saga_step (saga_id, step, position, fwd_status, fwd_command_id, fwd_queue,
                                    fwd_attempts, fwd_asked_at, fwd_reply, comp_status, comp_command_id, comp_attempts,
                                    comp_reply)
                                SELECT :id, step, place - 1, fwd_status, CAST(fwd_command_id AS uuid), fwd_queue,
                                    fwd_attempts, CASE WHEN fwd_attempts > 0 THEN now() END, CAST(fwd_reply AS jsonb),
                                    comp_status, CAST(comp_command_id AS uuid), comp_attempts, CAST(comp_reply AS jsonb)
                                FROM unnest(:steps, :forwards, :forwardAttempts, :forwardReplies,
                                        :undos, :undoAttempts, :undoReplies,
                                        :forwardCommandIds, :undoCommandIds, :queues) WITH ORDINALITY
                                    AS made (step, fwd_status, fwd_attempts, fwd_reply,
                                        comp_status, comp_attempts, comp_reply,
                                        fwd_command_id, comp_command_id, fwd_queue, place)"""), saga, steps)
                .param(
                        "forwardCommandIds",
                        texts(steps, step -> step.forwardCommandId().toString()))
                .param(
                        "undoCommandIds",
                        texts(steps, step -> step.undoCommandId().toString()))
                .param(
                        "queues",
                        texts(
                                steps,
                                step -> definition.step(step.name()).action().queue()))
                .update();
        append(started);
        return true;
    }

    @Override
    public void write(Saga before, Decision decision) {
        Saga saga = decision.saga();
        List<Step> changed = saga.steps().stream()
                .filter(step -> !before.steps().contains(step))
                .toList();
        if (!changed.isEmpty()) {
            changed(jdbc.sql("""
                                UPDATE saga_step SET
                                    fwd_status = now_is.fwd_status,
                                    fwd_attempts = now_is.fwd_attempts,
                                    fwd_asked_at = CASE WHEN now_is.fwd_attempts > saga_step.fwd_attempts
                                        THEN now() ELSE fwd_asked_at END,
                                    fwd_answered_at = CASE
                                        WHEN saga_step.fwd_status = 'PENDING' AND now_is.fwd_status IN ('SUCCEEDED', 'FAILED')
                                        THEN now() ELSE fwd_answered_at END,
                                    fwd_reply = CAST(now_is.fwd_reply AS jsonb),
                                    comp_status = now_is.comp_status,
                                    comp_attempts = now_is.comp_attempts,
                                    comp_reply = CAST(now_is.comp_reply AS jsonb)
                                FROM unnest(:steps, :forwards, :forwardAttempts, :forwardReplies,
                                        :undos, :undoAttempts, :undoReplies)
                                    AS now_is (step, fwd_status, fwd_attempts, fwd_reply,
                                        comp_status, comp_attempts, comp_reply)
                                WHERE saga_id = :id AND saga_step.step = now_is.step"""), saga, changed).update();
        }
        int written = written(jdbc.sql("""
                                UPDATE saga_instance SET phase = :phase, state = :state, outcome = :outcome,
                                    current_step = :step, version = :version, data = CAST(:data AS jsonb), parked = :parked,
                                    attention_since = CASE
                                        WHEN CAST(:attention AS text) IS NULL THEN NULL
                                        WHEN attention = :attention THEN attention_since
                                        ELSE now() END,
                                    attention = :attention, cancel_requested = :cancelRequested, announced = :announced,
                                    ended_at = CASE WHEN CAST(:outcome AS text) IS NOT NULL THEN coalesce(ended_at, now()) END,
                                    updated_at = now(), wake_failures = 0, wake_at = %s
                                WHERE saga_id = :id AND version = :before""".formatted(wakeAt(decision.wakeUp()))), decision)
                .param("before", before.version())
                .update();
        if (written != 1) {
            throw new IllegalStateException(before + " has another version meanwhile, though its row was locked");
        }
        append(decision);
    }

    private static String wakeAt(WakeUp wakeUp) {
        return switch (wakeUp) {
            case WakeUp.Unchanged unchanged -> KEEP;
            case WakeUp.After after -> AFTER;
            case WakeUp.Never never -> NEVER;
        };
    }

    /** The parameters that a new saga and a changed one have in common. */
    private static StatementSpec written(StatementSpec statement, Decision decision) {
        Saga saga = decision.saga();
        return statement
                .param("id", saga.id())
                .param("phase", saga.phase().name())
                .param("state", saga.state())
                .param("outcome", name(saga.outcome()))
                .param("step", saga.currentStep())
                .param("version", saga.version())
                .param("data", Json.write(saga.data().values()))
                .param("parked", saga.parked())
                .param("attention", name(saga.attention()))
                .param("cancelRequested", saga.cancelRequested())
                .param("announced", name(saga.announced()))
                .param("delay", decision.wakeUp() instanceof WakeUp.After(Duration delay) ? delay.toMillis() : 0);
    }

    private static StatementSpec changed(StatementSpec statement, Saga saga, List<Step> steps) {
        return statement
                .param("id", saga.id())
                .param("steps", texts(steps, Step::name))
                .param("forwards", texts(steps, step -> step.forward().name()))
                .param("forwardAttempts", numbers(steps, Step::forwardAttempts))
                .param("forwardReplies", texts(steps, step -> json(step.forwardReply())))
                .param("undos", texts(steps, step -> step.undo().name()))
                .param("undoAttempts", numbers(steps, Step::undoAttempts))
                .param("undoReplies", texts(steps, step -> json(step.undoReply())));
    }

    private static @Nullable String[] texts(List<Step> steps, Function<Step, @Nullable String> text) {
        return steps.stream().map(text).toArray(String[]::new);
    }

    private static int[] numbers(List<Step> steps, ToIntFunction<Step> number) {
        return steps.stream().mapToInt(number).toArray();
    }

    private static @Nullable String json(@Nullable SagaData data) {
        return data == null ? null : Json.write(data.values());
    }

    private static @Nullable String name(@Nullable Enum<?> constant) {
        return constant == null ? null : constant.name();
    }

    private void append(Decision decision) {
        jdbc.sql("""
                        INSERT INTO saga_event (saga_id, seq, disposition, state, note)
                        VALUES (:id, :seq, :disposition, :state, :note)""")
                .param("id", decision.saga().id())
                .param("seq", decision.saga().version())
                .param("disposition", decision.disposition().name())
                .param("state", decision.saga().state())
                .param("note", decision.note())
                .update();
    }

    @Override
    public int wakeFailures(UUID sagaId) {
        return jdbc.sql("SELECT wake_failures FROM saga_instance WHERE saga_id = :id")
                .param("id", sagaId)
                .query(Integer.class)
                .single();
    }

    @Override
    public void pushBack(Saga saga, Duration delay, int failures) {
        jdbc.sql("""
                        UPDATE saga_instance SET wake_at = now() + :delay * interval '1 ms', wake_failures = :failures
                        WHERE saga_id = :id AND version = :version AND wake_at <= now()
                          AND phase <> 'ENDED' AND NOT parked""")
                .param("delay", delay.toMillis())
                .param("failures", failures)
                .param("id", saga.id())
                .param("version", saga.version())
                .update();
    }

    @Override
    public void addOrphan(String messageId, UUID sagaId, String body) {
        jdbc.sql("""
                        INSERT INTO saga_orphan (message_id, saga_id, body) VALUES (:messageId, :id, :body)
                        ON CONFLICT DO NOTHING""")
                .param("messageId", messageId)
                .param("id", sagaId)
                .param("body", body)
                .update();
    }

    @Override
    public Fingerprint publish(SagaDefinition definition) {
        jdbc.sql("""
                        INSERT INTO saga_definition (saga_type, version, checksum) VALUES (:type, :version, :checksum)
                        ON CONFLICT DO NOTHING""")
                .param("type", definition.name())
                .param("version", definition.version())
                .param("checksum", definition.checksum().value())
                .update();
        return jdbc.sql("SELECT checksum FROM saga_definition WHERE saga_type = :type AND version = :version")
                .param("type", definition.name())
                .param("version", definition.version())
                .query((row, number) -> new Fingerprint(row.getString("checksum")))
                .single();
    }

    @Override
    public Optional<Dossier> find(UUID sagaId) {
        return jdbc.sql(SELECT + " WHERE saga_id = :id")
                .param("id", sagaId)
                .query(PostgresSagas::row)
                .optional()
                .map(row -> new Dossier(row.with(steps(sagaId)), row.startedAt(), row.wakeAt(), history(sagaId)));
    }

    private List<Happened> history(UUID sagaId) {
        return jdbc.sql("""
                        SELECT seq, happened_at, disposition, state, note FROM saga_event
                        WHERE saga_id = :id ORDER BY seq""")
                .param("id", sagaId)
                .query((row, number) -> new Happened(
                        row.getLong("seq"),
                        time(row, "happened_at"),
                        Disposition.valueOf(row.getString("disposition")),
                        row.getString("state"),
                        row.getString("note")))
                .list();
    }

    @Override
    public List<Stuck> stuck(int most) {
        return jdbc.sql("""
                        SELECT saga_id, saga_type, business_key, state, attention, who, what, since
                        FROM v_saga_stuck ORDER BY since LIMIT :most""")
                .param("most", most)
                .query((row, number) -> new Stuck(
                        row.getObject("saga_id", UUID.class),
                        row.getString("saga_type"),
                        row.getString("business_key"),
                        row.getString("state"),
                        constant(Attention::valueOf, row.getString("attention")),
                        row.getString("who"),
                        row.getString("what"),
                        time(row, "since")))
                .list();
    }

    @Override
    public SagaCensus census(Collection<DefinitionKey> known) {
        List<SagaCensus.InState> live = jdbc.sql("""
                        SELECT saga_type, state, count(*) AS count, extract(epoch FROM now() - min(started_at)) AS age
                        FROM saga_instance WHERE phase <> 'ENDED' GROUP BY saga_type, state""")
                .query((row, number) -> new SagaCensus.InState(
                        row.getString("saga_type"),
                        row.getString("state"),
                        row.getLong("count"),
                        seconds(row.getDouble("age"))))
                .list();
        Map<Attention, Long> attention = new EnumMap<>(Attention.class);
        jdbc.sql(
                        "SELECT attention, count(*) AS count FROM saga_instance WHERE attention IS NOT NULL GROUP BY attention")
                .query(row -> {
                    attention.put(Attention.valueOf(row.getString("attention")), row.getLong("count"));
                });
        Set<DefinitionKey> unknown = new HashSet<>(jdbc.sql(
                        "SELECT DISTINCT saga_type, definition_version FROM saga_instance WHERE phase <> 'ENDED'")
                .query((row, number) -> new DefinitionKey(row.getString("saga_type"), row.getInt("definition_version")))
                .list());
        unknown.removeAll(known);
        return new SagaCensus(live, attention, unknown);
    }
}
