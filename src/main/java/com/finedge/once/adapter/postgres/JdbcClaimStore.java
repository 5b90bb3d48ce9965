package com.finedge.once.adapter.postgres;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.ClaimWrite;
import com.finedge.once.claim.Fingerprint;
import com.finedge.once.claim.Refusal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;

/**
 * Claims as rows of the table {@code claim} in PostgreSQL: one conditional statement per operation, in the caller's
 * transaction of the same data source where there is one.
 *
 * <p>Without a transaction each statement is committed by itself, as in any other store. Within one (READ COMMITTED),
 * claim, work in the same database and end are committed together or not at all, and whoever runs it must keep to this:
 *
 * <ol>
 *   <li>Roll back on {@link ClaimWrite#LEASE_LOST}, by throwing or by {@code setRollbackOnly()}: a commit would add a
 *       late owner's work to its successor's.
 *   <li>Let a {@link ClaimStoreException} go up: PostgreSQL has given up the transaction.
 *   <li>Be short and reach nothing outside this database. Until the commit nobody else sees the claim, no renewal either;
 *       whoever asks for the same key waits, and gets a {@code ClaimStoreException} when the time-out is over.
 *   <li>Acknowledge the message after the commit.
 * </ol>
 */
public final class JdbcClaimStore implements ClaimStore {

    /**
     * Grants, or brings the row that stands in the way; or nothing, where that row is younger than the statement.
     *
     * <p>A row that is seen to refuse is not even tried: ON CONFLICT locks what it doesn't update. One that changes while
     * this waits for it is judged as it is then, by the condition of the update.
     */
    private static final String CLAIM = """
            WITH existing AS (SELECT * FROM claim WHERE scope = :scope AND key = :key),
            granted AS (
                INSERT INTO claim (scope, key, state, owner, fence, lease_until, fingerprint, created_at, updated_at)
                SELECT :scope, :key, 'IN_PROGRESS', :owner, 1, :leaseUntil, :fingerprint, :now, :now
                WHERE NOT EXISTS (SELECT FROM existing WHERE NOT (
                    state = 'IN_PROGRESS' AND lease_until < :now AND fingerprint = :fingerprint))
                ON CONFLICT (scope, key) DO UPDATE
                SET owner = excluded.owner, taken_over_from = claim.owner, released_by = NULL, fence = claim.fence + 1,
                    lease_until = excluded.lease_until, updated_at = excluded.updated_at
                WHERE claim.state = 'IN_PROGRESS' AND claim.lease_until < excluded.updated_at
                    AND claim.fingerprint = excluded.fingerprint
                RETURNING *)
            SELECT true AS granted, * FROM granted
            UNION ALL
            SELECT false, * FROM existing WHERE NOT EXISTS (SELECT FROM granted)""";

    private static final String OF_KEY = " WHERE scope = :scope AND key = :key AND ";

    /** Every write of an owner hangs on this. */
    private static final String HELD = "state = 'IN_PROGRESS' AND owner = :owner";

    /** How often a claim is asked anew because the row changed between the refusal and the look at it. */
    private static final int TRIES = 5;

    private final JdbcClient jdbc;

    /**
     * @param dataSource the one that the callers' transactions are of
     * @param statementTimeout how long a statement may take, waiting for another transaction included: whole seconds, well
     *     below the lease. A caller's transaction that has a time-out of its own is held to that instead
     */
    public JdbcClaimStore(DataSource dataSource, Duration statementTimeout) {
        JdbcTemplate template = new JdbcTemplate(dataSource);
        template.setQueryTimeout(Math.toIntExact(statementTimeout.toSeconds()));
        this.jdbc = JdbcClient.create(template);
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        for (int i = 0; i < TRIES; i++) {
            // No row is no answer: what was in the way is younger than the statement, or gone again.
            Optional<ClaimResult> result = asked(
                            request.key(),
                            () -> of(request.key(), CLAIM)
                                    .param("owner", request.owner())
                                    .param("leaseUntil", time(request.leaseUntil()))
                                    .param("fingerprint", request.fingerprint().value())
                                    .param("now", time(request.now()))
                                    .query(Answer::read)
                                    .optional())
                    .flatMap(answer -> answer.to(request));
            if (result.isPresent()) {
                return result.get();
            }
        }
        throw new ClaimStoreException(request.key() + ": refused " + TRIES + " times by a row that kept changing");
    }

    @Override
    public ClaimWrite finish(Claim claim, ClaimEnd end) {
        return owned(
                claim,
                "state = :state, outcome = :outcome, detail = detail || CAST(:detail AS jsonb), expires_at = :expiresAt,"
                        + " updated_at = :now",
                "state = :state AND owner = :owner",
                Map.of(
                        "state", end.state().name(),
                        "outcome", storable(end.outcome()),
                        "detail", json(end.detail()),
                        "expiresAt", time(end.expiresAt()),
                        "now", time(end.at())));
    }

    @Override
    public ClaimWrite renew(Claim claim, Instant now, Instant leaseUntil) {
        return owned(
                claim,
                "lease_until = :leaseUntil, updated_at = :now",
                "false",
                Map.of("leaseUntil", time(leaseUntil), "now", time(now)));
    }

    @Override
    public ClaimWrite release(Claim claim, Instant now) {
        return owned(
                claim,
                "owner = NULL, released_by = owner, lease_until = to_timestamp(0), updated_at = :now",
                "released_by = :owner",
                Map.of("now", time(now)));
    }

    /** @param oursAlready what an earlier try of the same write, whose answer got lost, has left */
    private ClaimWrite owned(Claim claim, String change, String oursAlready, Map<String, Object> values) {
        return asked(claim.key(), () -> {
            boolean written = of(claim.key(), "UPDATE claim SET " + change + OF_KEY + HELD)
                            .param("owner", claim.owner())
                            .params(values)
                            .update()
                    == 1;
            return written || isSo(claim, oursAlready, values) ? ClaimWrite.WRITTEN : ClaimWrite.LEASE_LOST;
        });
    }

    /** By a statement of its own: the refused one has waited, and its view of the row is from before. */
    private boolean isSo(Claim claim, String condition, Map<String, Object> values) {
        return of(claim.key(), "SELECT EXISTS (SELECT FROM claim" + OF_KEY + condition + ")")
                .param("owner", claim.owner())
                .params(values)
                .query(Boolean.class)
                .single();
    }

    @Override
    public boolean reopen(ClaimKey key, Map<String, String> detail, Instant now) {
        return asked(
                key,
                () -> of(key, """
                                UPDATE claim SET state = 'IN_PROGRESS', owner = NULL, lease_until = to_timestamp(0),
                                    reopened_at_fence = fence, outcome = NULL, expires_at = NULL,
                                    detail = detail || CAST(:detail AS jsonb), updated_at = :now
                                """ + OF_KEY + "state = 'FAILED'")
                                .param("detail", json(detail))
                                .param("now", time(now))
                                .update()
                        == 1);
    }

    @Override
    public boolean settle(ClaimRecord seen, ClaimEnd end) {
        return asked(seen.key(), () -> {
            boolean written = of(seen.key(), """
                                    UPDATE claim SET state = 'DONE', outcome = :outcome,
                                        detail = detail || CAST(:detail AS jsonb), expires_at = :expiresAt,
                                        updated_at = :now
                                    """ + OF_KEY + "state = 'FAILED' AND fence = :fence")
                            .param("outcome", storable(end.outcome()))
                            .param("detail", json(end.detail()))
                            .param("expiresAt", time(end.expiresAt()))
                            .param("now", time(end.at()))
                            .param("fence", seen.fence())
                            .update()
                    == 1;
            // By a statement of its own, as for an owner: an earlier try may have gone through.
            return written
                    || of(
                                    seen.key(),
                                    "SELECT EXISTS (SELECT FROM claim" + OF_KEY + "state = 'DONE' AND fence = :fence)")
                            .param("fence", seen.fence())
                            .query(Boolean.class)
                            .single();
        });
    }

    @Override
    public Optional<ClaimRecord> find(ClaimKey key) {
        return asked(
                key,
                () -> of(key, "SELECT * FROM claim WHERE scope = :scope AND key = :key")
                        .query((row, number) -> record(row))
                        .optional());
    }

    /**
     * Forgets claims that have expired: what DynamoDB does by itself.
     *
     * @param most how many at once, so that no lock is held for long
     * @return how many it forgot
     */
    public int purge(Instant now, int most) {
        return jdbc.sql("""
                        WITH expired AS MATERIALIZED (
                            SELECT scope, key FROM claim WHERE expires_at < :now
                            LIMIT :most FOR UPDATE SKIP LOCKED)
                        DELETE FROM claim USING expired
                        WHERE claim.scope = expired.scope AND claim.key = expired.key""").param("now", time(now)).param("most", most).update();
    }

    private JdbcClient.StatementSpec of(ClaimKey key, String sql) {
        return jdbc.sql(sql).param("scope", key.scope()).param("key", key.key());
    }

    private static <T> T asked(ClaimKey key, Supplier<T> statement) {
        try {
            return statement.get();
        } catch (DataAccessException | TransactionException e) {
            throw new ClaimStoreException(key + ": PostgreSQL gave no answer", e);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new ClaimStoreException("the row " + key + " is no claim: " + e.getMessage(), e);
        }
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
    }

    private static String json(Map<String, String> detail) {
        return Json.write(detail.entrySet().stream()
                .collect(Collectors.toMap(fact -> storable(fact.getKey()), fact -> storable(fact.getValue()))));
    }

    /** Text may have any character but this one, and an end that is refused for it would never be recorded. */
    private static String storable(String text) {
        return text.replace('\0', '\uFFFD');
    }

    private static ClaimRecord record(ResultSet row) throws SQLException {
        return new ClaimRecord(
                new ClaimKey(row.getString("scope"), row.getString("key")),
                ClaimState.valueOf(row.getString("state")),
                row.getString("owner"),
                row.getLong("fence"),
                row.getLong("reopened_at_fence"),
                row.getObject("lease_until", OffsetDateTime.class).toInstant(),
                new Fingerprint(row.getString("fingerprint")),
                row.getString("outcome"),
                Json.readStrings(row.getString("detail")),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                row.getObject("updated_at", OffsetDateTime.class).toInstant(),
                expiresAt(row));
    }

    private static @Nullable Instant expiresAt(ResultSet row) throws SQLException {
        OffsetDateTime time = row.getObject("expires_at", OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** The row as it was granted, or as it stands in the way. */
    private record Answer(
            boolean granted, ClaimRecord row, @Nullable String takenOverFrom) {

        static Answer read(ResultSet row, int number) throws SQLException {
            return new Answer(row.getBoolean("granted"), record(row), row.getString("taken_over_from"));
        }

        Optional<ClaimResult> to(ClaimRequest request) {
            if (!granted) {
                return Refusal.of(row, request);
            }
            Claim claim = new Claim(
                    request.key(),
                    request.fingerprint(),
                    request.owner(),
                    row.fence(),
                    row.attempts(),
                    request.leaseUntil());
            return Optional.of(new ClaimResult.Acquired(claim, takenOverFrom));
        }
    }
}
