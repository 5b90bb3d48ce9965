package com.finedge.once;

import static org.awaitility.Awaitility.await;

import com.finedge.once.dev.CoreBankingSimulator;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** On ElasticMQ and PostgreSQL, with nothing where DynamoDB would be. */
class EndToEndJdbcIT extends EndToEndContract {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final String EXPIRED = "CHG-of-long-ago";

    private final PostgresServer.Database database = SERVICES.postgres().fresh().migrated();
    private final JdbcClient jdbc = JdbcClient.create(database.dataSource());

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(SERVICES.properties(SERVICES.fresh()));
        settings.putAll(database.properties());
        settings.put("once.claims.store", "jdbc");
        settings.put("once.claims.statement-timeout", "2s");
        settings.put("once.aws.dynamodb-endpoint", "http://127.0.0.1:1");
        jdbc.sql("""
                        INSERT INTO claim (scope, key, state, owner, fence, lease_until, fingerprint, outcome, created_at,
                            updated_at, expires_at)
                        VALUES ('charge-recovery', ?, 'DONE', 'somebody', 1, now(), repeat('0', 64), 'DEBITED', now(), now(),
                            now() - interval '1 s')""").param(EXPIRED).update();
        return settings;
    }

    @Override
    protected SqsClient sqs() {
        return SERVICES.sqs();
    }

    @Override
    protected List<String> claimKeys() {
        return jdbc.sql("SELECT scope || '#' || key FROM claim")
                .query(String.class)
                .list();
    }

    @Test
    void aClaimThatHasExpiredIsForgotten() {
        await().atMost(Duration.ofSeconds(20)).until(() -> !claimKeys().contains("charge-recovery#" + EXPIRED));
    }

    @Override
    protected CoreBankingSimulator bank() {
        return SERVICES.bank();
    }
}
