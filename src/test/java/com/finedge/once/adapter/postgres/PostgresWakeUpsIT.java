package com.finedge.once.adapter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.outbox.OutboxMessage;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Commits are heard of at once, and a lost connection is found again. */
class PostgresWakeUpsIT {

    private static final PostgresServer SERVER = LocalServices.shared().postgres();

    private final PostgresServer.Database database = SERVER.fresh().migrated();
    private final DataSource dataSource = database.dataSource();
    private final TransactionTemplate transaction =
            new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    private final PostgresOutbox outbox = new PostgresOutbox(dataSource);
    private final AtomicInteger woken = new AtomicInteger();
    private final PostgresWakeUps wakeUps = new PostgresWakeUps(dataSource, woken::incrementAndGet);

    @BeforeEach
    void listen() {
        wakeUps.start();
        await().until(wakeUps::isListening);
        await().until(() -> woken.get() == 1);
    }

    @AfterEach
    void close() {
        wakeUps.close();
    }

    private void add(String id) {
        transaction.executeWithoutResult(status -> outbox.add(new OutboxMessage(id, "q", "{}", null, Map.of())));
    }

    private long listeners() {
        return JdbcClient.create(dataSource)
                .sql("SELECT count(*) FROM pg_stat_activity WHERE datname = ? AND pid <> pg_backend_pid()")
                .param(database.name())
                .query(Long.class)
                .single();
    }

    @Test
    void aCommitWakes() {
        add("e-1");

        await().atMost(Duration.ofSeconds(2)).until(() -> woken.get() == 2);
    }

    @Test
    void aTransactionOfManyMessagesWakesOnce() {
        transaction.executeWithoutResult(status -> {
            for (int i = 0; i < 100; i++) {
                outbox.add(new OutboxMessage("e-" + i, "q", "{}", null, Map.of()));
            }
        });

        await().until(() -> woken.get() >= 2);
        assertThat(woken).hasValue(2);
    }

    @Test
    void nothingIsHeardOfBeforeTheCommitAndNothingOfARollBack() {
        transaction.executeWithoutResult(status -> {
            outbox.add(new OutboxMessage("e-1", "q", "{}", null, Map.of()));
            status.setRollbackOnly();
        });
        add("e-2");

        await().until(() -> woken.get() >= 2);
        assertThat(woken).hasValue(2);
    }

    @Test
    void aConnectionThatIsCutIsMadeAgainAndWakesForWhatWasMissed() {
        SERVER.cut(database);

        await().atMost(Duration.ofSeconds(10)).until(() -> woken.get() == 2 && wakeUps.isListening());

        add("e-1");
        await().atMost(Duration.ofSeconds(2)).until(() -> woken.get() == 3);
    }

    @Test
    void closedItGivesItsConnectionBack() {
        wakeUps.close();

        await().atMost(Duration.ofSeconds(5)).until(() -> listeners() == 0);
        assertThat(wakeUps.isListening()).isFalse();
    }
}
