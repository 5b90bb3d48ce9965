package com.finedge.once;

import static com.finedge.once.support.HaltingPoint.APPLIED;
import static com.finedge.once.support.HaltingPoint.TIMER_INSIDE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.contract.SagaNotice;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderAudit;
import com.finedge.once.dev.OrderPod;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.dev.ShortTimeouts;
import com.finedge.once.support.HaltingPoint;
import com.finedge.once.support.OnceProcess;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** Processes that end in the middle of an order: another brings it through, and nothing is done twice or left undone. */
class SagaCrashIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final String BOTH_ROLES = "order-saga,order-participants";
    private static final String ORDER = "O-1";

    private final OrderQueues queues = OrderQueues.unique().createIn(SERVICES.sqs());
    private final PostgresServer.Database database = SERVICES.postgres().fresh().migrated();
    private final JdbcClient owner = JdbcClient.create(database.ownersDataSource());
    private final OrderAudit audit = new OrderAudit(database, queue(queues.events()));

    private static Queue queue(String name) {
        return Queue.named(SERVICES.sqs(), name);
    }

    private Map<String, String> settings(String... more) {
        Map<String, String> settings = new HashMap<>(SERVICES.properties());
        settings.putAll(database.properties());
        settings.putAll(queues.properties());
        settings.put("once.roles", BOTH_ROLES);
        settings.put("once.sagas.queue-prefix", queues.prefix());
        settings.put("once.sagas.timer", "200ms");
        // What a process leaves behind comes back after these.
        settings.put("once.charges.visibility", "2s");
        settings.put("once.aws.call-timeout", "1s");
        settings.put("once.outbox.lease", "3s");
        settings.put("spring.datasource.hikari.maximum-pool-size", "10");
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    /** Its answer may not come any more; the order is in the database then, as all that ends the process is after it. */
    private static void place(OrderPod pod) {
        try {
            assertThat(pod.place(ORDER)).isEqualTo(201);
        } catch (IOException e) {
            assertThat(pod.process().said("halting at")).isTrue();
        }
    }

    private static void awaitEnd(OnceProcess process, HaltingPoint point) {
        process.awaitLine("halting at " + point);
        await().atMost(LONGEST).until(() -> !process.isAlive());
    }

    /** Until everything has ended and everyone was told, and no message is left. */
    private void awaitTheEnd(int orders) {
        await().atMost(LONGEST)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> audit.sagas() == orders
                        && audit.live() == 0
                        && audit.unsent() == 0
                        && queues.all().stream()
                                .filter(name -> !name.equals(queues.events()))
                                .allMatch(name -> queue(name).size() == 0));
    }

    private static void whileOnceRuns(Map<String, String> settings, Runnable wait) {
        RunningOnce once = RunningOnce.start(settings);
        try {
            wait.run();
        } finally {
            once.close();
        }
    }

    private int count(String table) {
        return owner.sql("SELECT count(*) FROM " + table).query(Integer.class).single();
    }

    private List<Long> versions() {
        return owner.sql("SELECT seq FROM saga_event ORDER BY seq")
                .query(Long.class)
                .list();
    }

    private List<String> dispositions() {
        return owner.sql("SELECT disposition FROM saga_event ORDER BY seq")
                .query(String.class)
                .list();
    }

    private void isAsIfNothingHadHappened(String orderId) {
        assertThat(audit.violations()).isEmpty();
        assertThat(audit.rows(orderId))
                .containsAllEntriesOf(Map.of(
                        "payment", 1, "refund", 0, "reservation", 1, "release", 0, "shipment", 1, "cancellation", 0));
        assertThat(audit.facts(orderId))
                .extracting(SagaNotice::type)
                .containsExactlyInAnyOrder(
                        "OrderPlaced.v1",
                        "PaymentTaken.v1",
                        "StockReserved.v1",
                        "ShippingArranged.v1",
                        "OrderConfirmed.v1",
                        "OrderCompleted.v1");
    }

    @ParameterizedTest(name = "ended at {0}, the {1}. time")
    @CsvSource({
        // The first sends a command, the fifth and last what everyone is told.
        "TRANSITION_COMMITTED, 1",
        "TRANSITION_COMMITTED, 5",
        "PUBLISHED, 3",
        "APPLIED, 2",
        "PARTICIPANT_INSIDE, 1",
        "PARTICIPANT_COMMITTED, 2"
    })
    void anotherProcessBringsTheOrderThrough(HaltingPoint point, int time) {
        try (OrderPod doomed = OrderPod.start(
                settings("once.test.halt-at", point.name(), "once.test.halt-on", Integer.toString(time)), BOTH_ROLES)) {
            doomed.awaitStart();
            place(doomed);
            if (point == APPLIED) {
                doomed.process().awaitLine("standing still at " + point);
                await().atMost(LONGEST).until(() -> audit.unsent() == 0);
                doomed.process().kill();
            } else {
                awaitEnd(doomed.process(), point);
            }
        }
        assertThatItWasThere(point, time);

        whileOnceRuns(settings(), () -> {
            awaitTheEnd(1);
        });
        isAsIfNothingHadHappened(ORDER);
        assertThat(dispositions()).as("each answer has moved it once").containsOnly("APPLIED");
        assertThat(versions()).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    /** The process has really ended where it was to end, or the rest would prove nothing. */
    private void assertThatItWasThere(HaltingPoint point, int time) {
        switch (point) {
            case TRANSITION_COMMITTED -> {
                assertThat(versions()).hasSize(time);
                assertThat(owner.sql("SELECT count(*) FROM outbox WHERE state = 'PENDING' AND owner IS NULL")
                                .query(Integer.class)
                                .single())
                        .as("written, and taken by no relay")
                        .isPositive();
                assertThat(queue(queues.replies()).size()).isPositive();
            }
            case PUBLISHED ->
                assertThat(owner.sql("SELECT count(*) FROM outbox WHERE state = 'PENDING' AND owner IS NOT NULL")
                                .query(Integer.class)
                                .single())
                        .as("sent, and not marked")
                        .isPositive();
            case APPLIED -> {
                assertThat(versions()).hasSizeGreaterThanOrEqualTo(time);
                assertThat(queue(queues.replies()).size()).isPositive();
            }
            case PARTICIPANT_INSIDE -> {
                assertThat(count("payment")).isZero();
                assertThat(count("participant_op")).isZero();
                assertThat(queue(queues.commands("payment")).size()).isPositive();
            }
            case PARTICIPANT_COMMITTED -> {
                assertThat(count("stock_reservation")).isEqualTo(1);
                assertThat(queue(queues.commands("stock")).size()).isPositive();
            }
            case TIMER_INSIDE -> throw new AssertionError(point);
        }
    }

    @Test
    void aTimerThatEndsInsideItsTransactionLeavesNothingOfIt() {
        String definitions = ShortTimeouts.definitions(Duration.ofSeconds(1), 20);
        try (OrderPod doomed = OrderPod.start(
                settings("once.sagas.definitions", definitions, "once.test.halt-at", TIMER_INSIDE.name()),
                "order-saga")) {
            doomed.awaitStart();
            place(doomed);
            // Taken and lost: a command that still waited would be waited for.
            await().atMost(LONGEST)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> !queue(queues.commands("payment")).drain().isEmpty());
            awaitEnd(doomed.process(), TIMER_INSIDE);
        }
        assertThat(dispositions()).containsExactly("APPLIED");
        assertThat(owner.sql("SELECT count(*) FROM outbox WHERE body LIKE '%TakePayment%'")
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);

        whileOnceRuns(settings("once.sagas.definitions", definitions), () -> {
            awaitTheEnd(1);
        });
        isAsIfNothingHadHappened(ORDER);
        assertThat(dispositions()).startsWith("APPLIED", "RESENT");
        assertThat(versions())
                .containsExactlyElementsOf(IntStream.rangeClosed(1, versions().size())
                        .mapToObj(Long::valueOf)
                        .toList());
    }

    /** One attempt only: whoever took silence for a failure would turn all of them back at once. */
    @Test
    void nobodyWhoWasAnsweredIsCancelledAfterEverythingWasDown() {
        int orders = 30;
        String definitions = ShortTimeouts.definitions(Duration.ofMinutes(2), 0);
        try (OrderPod doomed = OrderPod.start(settings("once.sagas.definitions", definitions), "order-saga")) {
            doomed.awaitStart();
            for (int i = 0; i < orders; i++) {
                assertThat(placeOf(doomed, "O-" + i)).isEqualTo(201);
            }
            await().atMost(LONGEST)
                    .until(() -> queue(queues.commands("payment")).size() == orders);
            await().atMost(LONGEST).until(() -> audit.unsent() == 0);
            doomed.process().kill();
        }
        whileOnceRuns(settings("once.roles", "order-participants"), () -> {
            await().atMost(LONGEST).until(() -> queue(queues.replies()).size() == orders && audit.unsent() == 0);
        });
        owner.sql("UPDATE outbox SET sent_at = sent_at - interval '1 day'").update();
        owner.sql("UPDATE saga_step SET fwd_asked_at = fwd_asked_at - interval '1 day'")
                .update();
        owner.sql("UPDATE saga_instance SET wake_at = wake_at - interval '1 day'")
                .update();

        // Some had just been received when the last process died: for a while nobody sees them.
        String replies = SERVICES.queueUrl(queues.replies());
        List<Message> hidden = SERVICES.sqs()
                .receiveMessage(request ->
                        request.queueUrl(replies).maxNumberOfMessages(10).visibilityTimeout((int) LONGEST.toSeconds()))
                .messages();
        assertThat(hidden).isNotEmpty();

        whileOnceRuns(settings("once.sagas.definitions", definitions), () -> {
            await().atMost(LONGEST)
                    .until(() -> audit.transitions("HELD") + audit.transitions("TIMED_OUT") >= hidden.size());
            hidden.forEach(message -> SERVICES.sqs()
                    .changeMessageVisibility(request -> request.queueUrl(replies)
                            .receiptHandle(message.receiptHandle())
                            .visibilityTimeout(0)));
            awaitTheEnd(orders);
        });
        assertThat(audit.violations()).isEmpty();
        assertThat(audit.ended("COMPLETED")).isEqualTo(orders);
        assertThat(audit.transitions("TIMED_OUT")).isZero();
        isAsIfNothingHadHappened("O-0");
    }

    private static int placeOf(OrderPod pod, String orderId) {
        try {
            return pod.place(orderId);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
