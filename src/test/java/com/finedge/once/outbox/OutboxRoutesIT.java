package com.finedge.once.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.adapter.postgres.PostgresWakeUps;
import com.finedge.once.console.OutboxEndpoint;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.SecurityContext;
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

    private static final SecurityContext SOMEBODY = new SecurityContext() {
        @Override
        public Principal getPrincipal() {
            return () -> "somebody";
        }

        @Override
        public boolean isUserInRole(String role) {
            return true;
        }
    };

    @Test
    void whatIsParkedIsSeenAndReleasedByAnOperator() {
        FaultProxy proxy =
                FaultProxy.before(URI.create(SERVICES.properties().getOrDefault("once.aws.sqs-endpoint", "")));
        try (proxy;
                RunningOnce once =
                        billing("once.aws.sqs-endpoint", proxy.endpoint().toString())) {
            FaultProxy.Faulty refusal = proxy.on("SendMessageBatch").answer(400, "InvalidMessageContents");
            OutboxEndpoint operator = once.bean(OutboxEndpoint.class);
            add(once, "e-1");
            await().until(() -> operator.state().parked().size() == 1);
            assertThat(operator.state().parked().get(0)).satisfies(parked -> {
                assertThat(parked.id()).isEqualTo("e-1");
                assertThat(parked.lastError()).isEqualTo("InvalidMessageContents");
            });

            refusal.end();
            assertThat(operator.release(SOMEBODY, "e-1", "the queue is back").getStatus())
                    .isEqualTo(204);
            assertThat(operator.release(SOMEBODY, "e-1", "the queue is back").getStatus())
                    .isEqualTo(404);

            assertThat(received(Duration.ofSeconds(10)).body()).isEqualTo("body of e-1");
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

    /** No sweep comes in the time of this test, so what arrives was called for: by the new connection, then by the commit. */
    @Test
    void aConnectionThatIsCutWhileNothingElseHappensLosesNoMessage() {
        try (RunningOnce once = billing("once.outbox.sweep", "1h")) {
            add(once, "before");
            assertThat(received(Duration.ofSeconds(10)).body()).isEqualTo("body of before");

            SERVICES.postgres().cut(database);
            JdbcClient.create(database.dataSource())
                    .sql("INSERT INTO outbox (event_id, queue, body) VALUES ('alone', ?, 'alone')")
                    .param(resources.queue())
                    .update();
            assertThat(received(Duration.ofSeconds(20)).body()).isEqualTo("alone");

            await().until(once.bean(PostgresWakeUps.class)::isListening);
            add(once, "after");
            assertThat(received(Duration.ofSeconds(5)).body()).isEqualTo("body of after");
        }
    }

    @Test
    void aTransactionThatCommitsLateIsSentThoughLaterOnesWereBefore() {
        try (RunningOnce once = billing("once.outbox.sweep", "1h")) {
            once.bean(TransactionTemplate.class).executeWithoutResult(status -> {
                once.bean(Outbox.class)
                        .add(new OutboxMessage("late", resources.queue(), "body of late", null, Map.of()));
                try (ExecutorService other = Executors.newSingleThreadExecutor()) {
                    other.execute(() -> add(once, "early"));
                }
                assertThat(received(Duration.ofSeconds(10)).body()).isEqualTo("body of early");
            });

            assertThat(received(Duration.ofSeconds(10)).body()).isEqualTo("body of late");
        }
    }

    /** Added in waves until both have had a share, since one that is quick may have sent a wave before the other has woken. */
    @Test
    void twoProcessesSendThousandsOfMessagesOnceEach() {
        int wave = 500;
        int leastWaves = 4;
        int added = 0;
        try (RunningOnce one = billing("once.outbox.batch", "20");
                RunningOnce two = billing("once.outbox.batch", "20")) {
            await().until(() -> Stream.of(one, two)
                    .allMatch(once -> once.bean(PostgresWakeUps.class).isListening()));
            Instant end = Instant.now().plusSeconds(60);
            while (added < wave * leastWaves
                    || ((sentBy(one) == 0 || sentBy(two) == 0) && Instant.now().isBefore(end))) {
                int first = added;
                one.bean(TransactionTemplate.class)
                        .executeWithoutResult(status -> IntStream.range(first, first + wave)
                                .forEach(i -> one.bean(Outbox.class)
                                        .add(new OutboxMessage(
                                                "e-" + i,
                                                resources.queue(),
                                                "body " + i,
                                                i % 3 == 0 ? "key-" + i % 200 : null,
                                                Map.of()))));
                added += wave;
            }
            int messages = added;

            await().atMost(Duration.ofSeconds(60)).until(() -> sentBy(one) + sentBy(two) >= messages);

            assertThat(sentBy(one)).as("of the first").isPositive();
            assertThat(sentBy(two)).as("of the second").isPositive();
            assertThat(queue.drain())
                    .hasSize(messages)
                    .extracting(message -> Queue.attribute(message, OutboxMessage.ID_ATTRIBUTE))
                    .doesNotHaveDuplicates();
        }
    }

    private static double sentBy(RunningOnce once) {
        return once.bean(MeterRegistry.class).find(MeterNames.OUTBOX_SENT).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
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
