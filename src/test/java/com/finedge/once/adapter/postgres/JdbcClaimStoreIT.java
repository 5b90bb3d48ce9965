package com.finedge.once.adapter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.ClaimStoreContract;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.Fingerprint;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;

class JdbcClaimStoreIT extends ClaimStoreContract {

    private static final PostgresServer SERVER = LocalServices.shared().postgres();
    private static final HikariDataSource POOL = SERVER.fresh().migrated().pool(20);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final JdbcClaimStore store = new JdbcClaimStore(POOL, PATIENCE);
    private final JdbcClient jdbc = JdbcClient.create(POOL);

    @AfterAll
    static void close() {
        POOL.close();
    }

    @BeforeEach
    void empty() {
        jdbc.sql("DELETE FROM claim").update();
    }

    @Override
    protected ClaimStore store() {
        return store;
    }

    private static ClaimRequest request(String key) {
        return new ClaimRequest(
                new ClaimKey("charge-recovery", key), Fingerprint.of("x"), "me", NOON, NOON.plusSeconds(30));
    }

    private Claim claim(String key) {
        return ((ClaimResult.Acquired) store.claim(request(key))).claim();
    }

    private Claim ended(String key, ClaimState state, Instant expiresAt) {
        Claim claim = claim(key);
        store.finish(claim, new ClaimEnd(state, "X", Map.of(), NOON, expiresAt));
        return claim;
    }

    private List<String> keys() {
        return jdbc.sql("SELECT key FROM claim ORDER BY key")
                .query(String.class)
                .list();
    }

    @Test
    void aMissingTableIsAFaultAndNotAnAnswer() {
        JdbcClaimStore lost = new JdbcClaimStore(SERVER.fresh().dataSource(), PATIENCE);

        everythingIsAFault(lost);
    }

    @Test
    void aDatabaseThatIsAwayIsAFaultAndNotAnAnswer() {
        JdbcClaimStore away = new JdbcClaimStore(new PostgresServer.Database("gone", 1).dataSource(), PATIENCE);

        everythingIsAFault(away);
    }

    private static void everythingIsAFault(ClaimStore store) {
        Claim claim = new Claim(request("K").key(), Fingerprint.of("x"), "me", 1, 1, NOON);
        ClaimEnd end = new ClaimEnd(ClaimState.DONE, "X", Map.of(), NOON, NOON);
        assertThatThrownBy(() -> store.claim(request("K"))).isInstanceOf(ClaimStoreException.class);
        assertThatThrownBy(() -> store.finish(claim, end)).isInstanceOf(ClaimStoreException.class);
        assertThatThrownBy(() -> store.renew(claim, NOON, NOON)).isInstanceOf(ClaimStoreException.class);
        assertThatThrownBy(() -> store.release(claim, NOON)).isInstanceOf(ClaimStoreException.class);
        assertThatThrownBy(() -> store.reopen(claim.key(), Map.of(), NOON)).isInstanceOf(ClaimStoreException.class);
        assertThatThrownBy(() -> store.find(claim.key())).isInstanceOf(ClaimStoreException.class);
    }

    @Test
    void aRowThatIsNoClaimIsAFaultAndNotAnAnswer() {
        claim("K");
        jdbc.sql("UPDATE claim SET detail = '{\"nested\": {}}'").update();

        assertThatThrownBy(() -> store.claim(request("K")))
                .isInstanceOf(ClaimStoreException.class)
                .hasMessageContaining("charge-recovery#K");
    }

    /** What no code of ours writes is refused also to whoever mends a row by hand. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "state = 'PROCESSED'",
                "state = 'DONE'",
                "state = 'DONE', outcome = 'X'",
                "outcome = 'X'",
                "expires_at = now()",
                "owner = NULL",
                "owner = ''",
                "fence = 0",
                "reopened_at_fence = 2",
                "fingerprint = 'x'",
                "detail = '[]'",
                "key = ''",
                "scope = repeat('x', 65)"
            })
    void aRowThatMakesNoSenseIsRefused(String change) {
        claim("K");

        assertThatThrownBy(() -> jdbc.sql("UPDATE claim SET " + change).update())
                .isInstanceOf(DataIntegrityViolationException.class);
    }

    @Test
    void onlyWhatHasExpiredIsPurged() {
        ended("done", ClaimState.DONE, NOON.plusSeconds(60));
        ended("failed", ClaimState.FAILED, NOON.plusSeconds(60));
        ended("later", ClaimState.DONE, NOON.plusSeconds(61));
        claim("running");

        assertThat(store.purge(NOON.plusSeconds(60), 10)).isZero();
        assertThat(store.purge(NOON.plusSeconds(61), 10)).isEqualTo(2);
        assertThat(keys()).containsExactly("later", "running");
    }

    @Test
    void aReopenedClaimIsNotPurged() {
        Claim failed = ended("K", ClaimState.FAILED, NOON.plusSeconds(60));
        store.reopen(failed.key(), Map.of(), NOON);

        assertThat(store.purge(NOON.plusSeconds(1_000), 10)).isZero();
    }

    @Test
    void aPurgeTakesNoMoreAtOnceThanItMay() {
        for (int i = 0; i < 5; i++) {
            ended("K" + i, ClaimState.DONE, NOON);
        }

        assertThat(store.purge(NOON.plusSeconds(1), 3)).isEqualTo(3);
        assertThat(store.purge(NOON.plusSeconds(1), 3)).isEqualTo(2);
    }

    @Test
    void theApplicationsUserMayOnlyReadAndWriteRows() {
        for (String statement : List.of("DROP TABLE claim", "TRUNCATE claim", "ALTER TABLE claim DROP COLUMN owner")) {
            assertThatThrownBy(() -> jdbc.sql(statement).update())
                    .as(statement)
                    .isInstanceOf(DataAccessException.class);
        }
    }
}
