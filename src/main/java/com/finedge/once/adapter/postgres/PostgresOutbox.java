package com.finedge.once.adapter.postgres;

import com.finedge.once.outbox.LeasedMessage;
import com.finedge.once.outbox.Outbox;
import com.finedge.once.outbox.OutboxBacklog;
import com.finedge.once.outbox.OutboxMessage;
import com.finedge.once.outbox.OutboxStore;
import com.finedge.once.outbox.ParkedMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The outbox in the table {@code outbox}, whose insert trigger wakes the relays at the commit. */
public final class PostgresOutbox implements Outbox, OutboxStore {

    private static final int LONGEST_ERROR = 500;

    /**
     * What comes after it in its order can't be sent before it; were it due, every relay would look at it in every round,
     * and a key with many messages would slow down all others.
     */
    private static final String FOLLOWERS_WAIT = """
            UPDATE outbox SET due_at = back.due_at FROM back
            WHERE outbox.order_key = back.order_key AND outbox.id > back.id
              AND outbox.state = 'PENDING' AND outbox.due_at < back.due_at""";

    private final DataSource dataSource;
    private final JdbcClient jdbc;

    /** @param dataSource the one that the callers' transactions are of */
    public PostgresOutbox(DataSource dataSource) {
        this.dataSource = dataSource;
        this.jdbc = JdbcClient.create(dataSource);
    }

    @Override
    public void add(OutboxMessage message) {
        addAll(List.of(message));
    }

    @Override
    public void addAll(List<OutboxMessage> messages) {
        if (!CallersTransaction.isOf(dataSource)) {
            throw new IllegalStateException("a message can be added to the outbox only within a transaction of its own"
                    + " database: without one it could be sent without the data it speaks of");
        }
        if (messages.isEmpty()) {
            return;
        }
        // One statement, however many there are; their numbers are drawn in this order.
        jdbc.sql("""
                        INSERT INTO outbox (event_id, queue, body, attributes, order_key)
                        SELECT event_id, queue, body, CAST(attributes AS jsonb), order_key
                        FROM unnest(:ids, :queues, :bodies, :attributes, :orderKeys) WITH ORDINALITY
                            AS added (event_id, queue, body, attributes, order_key, place)
                        ORDER BY place""")
                .param("ids", texts(messages, OutboxMessage::id))
                .param("queues", texts(messages, OutboxMessage::queue))
                .param("bodies", texts(messages, OutboxMessage::body))
                .param("attributes", texts(messages, message -> Json.write(message.attributes())))
                .param("orderKeys", texts(messages, OutboxMessage::orderKey))
                .update();
    }

    private static @Nullable String[] texts(
            List<OutboxMessage> messages, Function<OutboxMessage, @Nullable String> text) {
        return messages.stream().map(text).toArray(String[]::new);
    }

    @Override
    public List<LeasedMessage> lease(UUID owner, int most, Duration lease) {
        // Of an order key only the first unsent one. Whoever holds it has changed its row, so that a relay which still
        // saw the row unchanged finds it locked, or no longer due.
        return jdbc.sql("""
                        WITH due AS MATERIALIZED (
                            SELECT id FROM outbox candidate
                            WHERE state = 'PENDING' AND due_at <= now()
                              AND (order_key IS NULL OR NOT EXISTS (
                                  SELECT 1 FROM outbox earlier
                                  WHERE earlier.order_key = candidate.order_key AND earlier.id < candidate.id
                                    AND earlier.state <> 'SENT'))
                            ORDER BY due_at
                            LIMIT :most
                            FOR UPDATE OF candidate SKIP LOCKED)
                        UPDATE outbox SET owner = :owner, version = version + 1, due_at = now() + :lease * interval '1 ms'
                        FROM due WHERE outbox.id = due.id
                        RETURNING outbox.id, version, event_id, queue, body, attributes, order_key, failures, added_at""")
                .param("most", most)
                .param("owner", owner)
                .param("lease", lease.toMillis())
                .query(PostgresOutbox::leased)
                .list();
    }

    private static LeasedMessage leased(ResultSet row, int number) throws SQLException {
        return new LeasedMessage(
                row.getLong("id"),
                row.getLong("version"),
                new OutboxMessage(
                        row.getString("event_id"),
                        row.getString("queue"),
                        row.getString("body"),
                        row.getString("order_key"),
                        Json.readStrings(row.getString("attributes"))),
                row.getInt("failures"),
                row.getObject("added_at", OffsetDateTime.class).toInstant());
    }

    @Override
    public int sent(UUID owner, Map<LeasedMessage, String> sent) {
        List<Map.Entry<LeasedMessage, String>> all = List.copyOf(sent.entrySet());
        return jdbc.sql("""
                        UPDATE outbox SET state = 'SENT', sent_at = now(), sent_as = marked.message_id, last_error = NULL
                        FROM unnest(:ids, :versions, :messageIds) AS marked (id, version, message_id)
                        WHERE outbox.id = marked.id AND outbox.version = marked.version
                          AND owner = :owner AND state = 'PENDING'""")
                .param("ids", all.stream().mapToLong(e -> e.getKey().row()).toArray())
                .param(
                        "versions",
                        all.stream().mapToLong(e -> e.getKey().version()).toArray())
                .param("messageIds", all.stream().map(Map.Entry::getValue).toArray(String[]::new))
                .param("owner", owner)
                .update();
    }

    @Override
    public boolean giveBack(UUID owner, LeasedMessage message, String reason, int failures, Duration delay) {
        return jdbc.sql("""
                                WITH back AS (
                                    UPDATE outbox SET owner = NULL, failures = :failures, last_error = :reason,
                                        due_at = now() + :delay * interval '1 ms'
                                    WHERE id = :id AND version = :version AND owner = :owner AND state = 'PENDING'
                                    RETURNING id, order_key, due_at),
                                waiting AS (%s)
                                SELECT count(*) FROM back""".formatted(FOLLOWERS_WAIT))
                        .param("failures", failures)
                        .param("reason", shortened(reason))
                        .param("delay", delay.toMillis())
                        .param("id", message.row())
                        .param("version", message.version())
                        .param("owner", owner)
                        .query(Long.class)
                        .single()
                == 1;
    }

    @Override
    public boolean park(UUID owner, LeasedMessage message, String reason) {
        return jdbc.sql("""
                                WITH back AS (
                                    UPDATE outbox SET owner = NULL, failures = failures + 1, last_error = :reason,
                                        state = 'PARKED', due_at = now() + interval '1 day'
                                    WHERE id = :id AND version = :version AND owner = :owner AND state = 'PENDING'
                                    RETURNING id, order_key, due_at),
                                waiting AS (%s)
                                SELECT count(*) FROM back""".formatted(FOLLOWERS_WAIT))
                        .param("reason", shortened(reason))
                        .param("id", message.row())
                        .param("version", message.version())
                        .param("owner", owner)
                        .query(Long.class)
                        .single()
                == 1;
    }

    private static String shortened(String reason) {
        return reason.length() <= LONGEST_ERROR ? reason : reason.substring(0, LONGEST_ERROR);
    }

    @Override
    public boolean release(String messageId) {
        return jdbc.sql("""
                                WITH released AS (
                                    UPDATE outbox SET state = 'PENDING', due_at = now(), failures = 0
                                    WHERE event_id = :id AND state = 'PARKED'
                                    RETURNING id, order_key),
                                followers AS (
                                    UPDATE outbox SET due_at = now() FROM released
                                    WHERE outbox.order_key = released.order_key AND outbox.id > released.id
                                      AND outbox.state = 'PENDING')
                                SELECT count(*) FROM released""").param("id", messageId).query(Long.class).single() == 1;
    }

    @Override
    public List<ParkedMessage> parked(int most) {
        return jdbc.sql("""
                        SELECT event_id, queue, order_key, failures, last_error, added_at FROM outbox
                        WHERE state = 'PARKED' ORDER BY id LIMIT :most""")
                .param("most", most)
                .query((row, number) -> new ParkedMessage(
                        row.getString("event_id"),
                        row.getString("queue"),
                        row.getString("order_key"),
                        row.getInt("failures"),
                        String.valueOf(row.getString("last_error")),
                        row.getObject("added_at", OffsetDateTime.class).toInstant()))
                .list();
    }

    @Override
    public OutboxBacklog backlog() {
        return jdbc.sql("""
                        SELECT count(*) FILTER (WHERE state = 'PENDING') AS pending,
                            count(*) FILTER (WHERE state = 'PARKED') AS parked,
                            coalesce(extract(epoch FROM now() - min(added_at) FILTER (WHERE state = 'PENDING')), 0) AS age
                        FROM outbox WHERE state IN ('PENDING', 'PARKED')""")
                .query((row, number) -> new OutboxBacklog(
                        row.getLong("pending"),
                        Duration.ofMillis((long) (row.getDouble("age") * 1000)),
                        row.getLong("parked")))
                .single();
    }

    @Override
    public int purge(Duration sentBefore, int most) {
        return jdbc.sql("""
                        WITH old AS MATERIALIZED (
                            SELECT id FROM outbox WHERE state = 'SENT' AND sent_at < now() - :age * interval '1 ms'
                            LIMIT :most FOR UPDATE SKIP LOCKED)
                        DELETE FROM outbox USING old WHERE outbox.id = old.id""")
                .param("age", sentBefore.toMillis())
                .param("most", most)
                .update();
    }
}
