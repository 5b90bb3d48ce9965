package com.finedge.once.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import software.amazon.awssdk.services.sqs.model.Message;

/** The outbox in the application: with PostgreSQL and SQS, and without the back ends of charge recovery. */
class OutboxRoutesIT {

    private static final LocalServices SERVICES = LocalServices.shared();

    private final LocalResources resources = SERVICES.fresh();
    private final PostgresServer.Database database = SERVICES.postgres().fresh();
    private final Queue queue = Queue.named(SERVICES.sqs(), resources.queue());

    private RunningOnce billing(String... more) {
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.putAll(database.properties());
        settings.put("once.roles", "billing");
        // Nothing listens there: this role must do without.
        settings.put("once.aws.dynamodb-endpoint", "http://127.0.0.1:1");
        settings.put("once.core-banking.url", "http://127.0.0.1:1");
        settings.put("once.charges.dead-letter-queue", "no-such-queue");
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return RunningOnce.start(settings);
    }

    private void add(RunningOnce once, String id) {
        once.bean(TransactionTemplate.class)
                .executeWithoutResult(status -> once.bean(Outbox.class)
                        .add(new OutboxMessage(id, resources.queue(), "body of " + id, null, Map.of())));
    }

    private Message received(Duration longest) {
        return await().atMost(longest)
                .pollInterval(Duration.ofMillis(20))
                .until(queue::drain, messages -> !messages.isEmpty())
                .get(0);
    }

    @Test
    void aCommitBringsItsMessageToTheQueueWithoutWaitingForASweep() {
        try (RunningOnce once = billing("once.outbox.sweep", "1h")) {
            add(once, "e-1");

            assertThat(received(Duration.ofSeconds(5)).body()).isEqualTo("body of e-1");
            await().until(() -> once.bean(MeterRegistry.class)
                            .get(MeterNames.OUTBOX_SENT)
                            .counter()
                            .count()
                    == 1);
            assertThat(once.bean(CamelContext.class).getRoute("recover-charge"))
                    .as("a route of another role")
                    .isNull();
        }
    }

    /** The connection that listens is cut, one message comes, and nothing after it. */
    @Test
    void aSweepFindsWhatNobodyWasWokenFor() {
        try (RunningOnce once = billing("once.outbox.sweep", "500ms")) {
            JdbcClient.create(database.ownersDataSource())
                    .sql("ALTER TABLE outbox DISABLE TRIGGER outbox_added")
                    .update();

            add(once, "e-1");

            assertThat(received(Duration.ofSeconds(10)).body()).isEqualTo("body of e-1");
        }
    }

    @Test
    void whatWasAddedWhileNobodyListenedIsSentAtTheStart() {
        database.migrated();
        JdbcClient.create(database.dataSource())
                .sql("INSERT INTO outbox (event_id, queue, body) VALUES ('e-1', ?, 'from before')")
                .param(resources.queue())
                .update();

        try (RunningOnce once = billing("once.outbox.sweep", "1h")) {
            assertThat(received(Duration.ofSeconds(10)).body()).isEqualTo("from before");
            assertThat(once.bean(Relay.class)).isNotNull();
        }
    }
}
