package com.finedge.once.adapter.postgres;

import com.finedge.once.billing.IdempotencyKey;
import com.finedge.once.billing.IdempotencyKeys;
import com.finedge.once.claim.Fingerprint;
import java.time.Duration;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Idempotency keys in the table {@code idempotency_key}, held by advisory locks of their transactions: a crash releases
 * them, and there is no state "in flight" that anybody would have to clean up.
 */
public final class PostgresIdempotencyKeys implements IdempotencyKeys {

    private final JdbcClient jdbc;

    public PostgresIdempotencyKeys(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * By a hash of 64 bits: two keys that share one are in each other's way for the length of a transaction, and no more.
     *
     * <p>A statement of its own, before the one that looks for the key: a single one would look at the table as it was
     * before the lock was had.
     */
    @Override
    public boolean hold(IdempotencyKey key) {
        return jdbc.sql("SELECT pg_try_advisory_xact_lock(hashtextextended('idempotency-key:' || :key, 0))")
                .param("key", key.value())
                .query(Boolean.class)
                .single();
    }

    @Override
    public Optional<Use> find(IdempotencyKey key) {
        return jdbc.sql("SELECT fingerprint, charge_id FROM idempotency_key WHERE key = :key")
                .param("key", key.value())
                .query((row, number) ->
                        new Use(new Fingerprint(row.getString("fingerprint")), row.getString("charge_id")))
                .optional();
    }

    @Override
    public void use(IdempotencyKey key, Use use) {
        jdbc.sql("INSERT INTO idempotency_key (key, fingerprint, charge_id) VALUES (:key, :fingerprint, :chargeId)")
                .param("key", key.value())
                .param("fingerprint", use.request().value())
                .param("chargeId", use.chargeId())
                .update();
    }

    @Override
    public int purge(Duration usedBefore, int most) {
        return jdbc.sql("""
                        DELETE FROM idempotency_key WHERE key IN (
                            SELECT key FROM idempotency_key WHERE used_at < now() - :age * interval '1 ms'
                            LIMIT :most FOR UPDATE SKIP LOCKED)""")
                .param("age", usedBefore.toMillis())
                .param("most", most)
                .update();
    }
}
