package com.finedge.once.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.RunningOnce;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Keys whose first message is refused again and again, and what others feel of it. */
class PoisonedKeysIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final int POISONED = 50;
    private static final int FOLLOWERS = 20;
    private static final int SAMPLES = 200;
    private static final int WARM_UP = 50;

    private final LocalResources resources = SERVICES.fresh();
    private final FaultProxy proxy =
            FaultProxy.before(URI.create(SERVICES.properties().getOrDefault("once.aws.sqs-endpoint", "")));

    /** An application with an outbox of its own. */
    private final class Publisher implements AutoCloseable {

        private final PostgresServer.Database database = SERVICES.postgres().fresh();
        private final JdbcClient jdbc = JdbcClient.create(database.dataSource());
        private final RunningOnce once;

        Publisher() {
            Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
            settings.putAll(database.properties());
            settings.put("once.roles", "billing");
            settings.put("once.aws.sqs-endpoint", proxy.endpoint().toString());
            once = RunningOnce.start(settings);
        }

        void add(String id, String key) {
            inTransaction(outbox -> outbox.add(message(id, key)));
        }

        private OutboxMessage message(String id, String key) {
            return new OutboxMessage(id, resources.queue(), "body of " + id, key, Map.of());
        }

        private void inTransaction(Consumer<Outbox> act) {
            once.bean(TransactionTemplate.class).executeWithoutResult(status -> act.accept(once.bean(Outbox.class)));
        }

        /** By the first of each key, which its queue refuses. */
        void poison() {
            inTransaction(outbox -> {
                for (int key = 0; key < POISONED; key++) {
                    outbox.add(message("poison-" + key, "key-" + key));
                    for (int follower = 0; follower < FOLLOWERS; follower++) {
                        outbox.add(message("follower-%d-%d".formatted(key, follower), "key-" + key));
                    }
                }
            });
            await().atMost(Duration.ofSeconds(60)).until(() -> number("failures > 0") == POISONED);
        }

        void addAndAwait(int sample) {
            add("s-" + sample, "sample-" + sample % 10);
            await().pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> number("event_id = 's-%d' AND state = 'SENT'".formatted(sample)) == 1);
        }

        int number(String condition) {
            return once.bean(JdbcClient.class)
                    .sql("SELECT count(*) FROM outbox WHERE " + condition)
                    .query(Integer.class)
                    .single();
        }

        /** From the insert to the mark, by the one clock of the database, in milliseconds. */
        double medianDelay() {
            return jdbc.sql("""
                            SELECT 1000 * percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM sent_at - added_at))
                            FROM outbox WHERE event_id LIKE 's-%' AND state = 'SENT'
                                AND CAST(substring(event_id FROM 3) AS int) >= ?""").param(WARM_UP).query(Double.class).single();
        }

        @Override
        public void close() {
            once.close();
        }
    }

    @Test
    void poisonedKeysDelayNoOther() {
        proxy.on("SendMessageBatch").with("poison").answer(403, "AccessDenied");
        try (Publisher poisoned = new Publisher();
                Publisher sound = new Publisher()) {
            poisoned.poison();

            // Turn by turn, so that whatever else slows this machine down slows both.
            for (int sample = 0; sample < WARM_UP + SAMPLES; sample++) {
                poisoned.addAndAwait(sample);
                sound.addAndAwait(sample);
            }

            double with = poisoned.medianDelay();
            double without = sound.medianDelay();
            assertThat(with / without).as("%s ms beside %s ms", with, without).isLessThan(1.2);
            assertThat(poisoned.number("event_id LIKE 'follower-%' AND state = 'SENT'"))
                    .as("what comes after a poisoned message")
                    .isZero();
        } finally {
            proxy.close();
        }
    }
}
