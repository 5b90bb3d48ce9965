package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderAudit;
import com.finedge.once.dev.OrderPod;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.dev.ShortTimeouts;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Participants that are away for longer than orders wait for them: a timer that took this for failures would cancel all. */
class ParticipantBehindIT {

    private static final int ORDERS = Integer.getInteger("once.test.waiting-orders", 500);

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final OrderQueues queues = OrderQueues.unique().createIn(SERVICES.sqs());
    private final PostgresServer.Database database = SERVICES.postgres().fresh().migrated();
    private final JdbcClient owner = JdbcClient.create(database.ownersDataSource());
    private final OrderAudit audit = new OrderAudit(database, Queue.named(SERVICES.sqs(), queues.events()));

    private Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(SERVICES.properties());
        settings.putAll(database.properties());
        settings.putAll(queues.properties());
        settings.put("once.roles", "order-participants");
        settings.put("once.sagas.queue-prefix", queues.prefix());
        settings.put("once.sagas.definitions", ShortTimeouts.definitions(TIMEOUT, 1));
        settings.put("once.sagas.timer", "500ms");
        settings.put("once.orders.pollers", "2");
        return settings;
    }

    /** How many orders' timers have found that they are to wait, so often each. */
    private int held(int times) {
        return owner.sql("""
                        SELECT count(*) FROM (
                            SELECT saga_id FROM saga_event WHERE disposition = 'HELD' GROUP BY saga_id HAVING count(*) >= ?
                        ) AS waiting""").param(times).query(Integer.class).single();
    }

    private static List<String> alerts(OrderPod pod) {
        return pod.process().lines().stream()
                .filter(line -> line.contains("is behind: until it isn't"))
                .toList();
    }

    @Test
    void aParticipantThatIsAwayForThreeTimeoutsIsReportedOnceAndCancelsNobody() throws IOException {
        try (OrderPod pod = OrderPod.start(settings()).awaitStart()) {
            for (int i = 0; i < ORDERS; i++) {
                assertThat(pod.place("O-" + i)).isEqualTo(201);
            }
            await().atMost(LONGEST).until(() -> held(3) == ORDERS);

            assertThat(alerts(pod)).singleElement().asString().contains("payment-commands is behind");
            assertThat(audit.transitions("RESENT")).as("nobody was asked again").isZero();
            assertThat(audit.transitions("TIMED_OUT")).isZero();
            assertThat(audit.live()).isEqualTo(ORDERS);

            RunningOnce participants = RunningOnce.start(settings());
            try {
                await().atMost(LONGEST).until(() -> audit.live() == 0 && audit.unsent() == 0);
            } finally {
                participants.close();
            }
        }
        assertThat(audit.ended("COMPLETED")).isEqualTo(ORDERS);
        assertThat(audit.transitions("TIMED_OUT")).isZero();
        assertThat(audit.violations()).isEmpty();
    }
}
