package com.finedge.once.dev;

import static org.awaitility.Awaitility.await;

import com.finedge.once.support.OnceProcess;
import com.finedge.once.support.Queue;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.logging.LogManager;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Orders in bad weather: two processes run their sagas and two their participants, and every two seconds one of the four is
 * killed and started again, while orders are placed and some of them cancelled. Then they are left to end, and what must be
 * so is looked at. {@code make chaos} calls it.
 *
 * @param orders how many are placed
 * @param kills how many times a process is to be killed meanwhile
 * @param longestDrain how long it may take them to end after that
 */
public record SagaChaos(int orders, int kills, Duration longestDrain) {

    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(2);
    private static final Duration LONGEST_PLACING = Duration.ofSeconds(60);
    private static final int ONE_CANCELLED_IN = 8;

    /** Where fewer than one in so many kills came about, the rest proves little. */
    private static final int LEAST_KILLED = 2;

    public static void main(String[] args) {
        // Of the Tomcat that the simulated bank runs in; here no Spring Boot has silenced it.
        LogManager.getLogManager().reset();
        System.out.println(
                "chaos: starting ElasticMQ (SQS), PostgreSQL, and two processes each for sagas and participants");
        Instant start = Instant.now();
        List<String> violations = new SagaChaos(
                        Integer.getInteger("once.test.orders", 1_000),
                        Integer.getInteger("once.test.kills", 50),
                        Duration.ofSeconds(150))
                .run(line -> System.out.printf(
                        "chaos: %3d s  %s%n",
                        Duration.between(start, Instant.now()).toSeconds(), line));
        System.out.println(violations.isEmpty() ? "chaos: PASS" : "chaos: FAIL " + String.join("; ", violations));
        System.exit(violations.isEmpty() ? 0 : 1);
    }

    /** A participants' process and its successors. */
    private static final class Participants implements AutoCloseable {

        private final Map<String, String> settings;
        private volatile OnceProcess process;

        private Participants(Map<String, String> settings) {
            this.settings = settings;
            this.process = OnceProcess.start(settings);
        }

        boolean hasStarted() {
            return process.said("Started StoppableOnce") && process.isAlive();
        }

        void restart() {
            process.kill();
            process = OnceProcess.start(settings);
        }

        @Override
        public void close() {
            process.close();
        }
    }

    /** What is not as it must be. */
    public List<String> run(Consumer<String> progress) {
        LocalServices services = LocalServices.shared();
        OrderQueues queues = OrderQueues.unique().createIn(services.sqs());
        PostgresServer.Database database = services.postgres().fresh().migrated();
        OrderAudit audit = new OrderAudit(database, Queue.named(services.sqs(), queues.events()));
        Map<String, String> settings = settings(services, queues, database);
        try (OrderPod oneSaga = OrderPod.start(settings);
                OrderPod otherSaga = OrderPod.start(settings);
                Participants one = new Participants(settings);
                Participants other = new Participants(settings);
                ExecutorService placing = Executors.newVirtualThreadPerTaskExecutor()) {
            List<OrderPod> pods = List.of(oneSaga, otherSaga);
            pods.forEach(OrderPod::awaitStart);
            one.process.awaitStart();
            other.process.awaitStart();
            progress.accept("all are up");
            Future<?> placed = placing.submit(() -> place(pods));
            int killed = kill(pods, List.of(one, other), audit, progress);
            List<String> violations = new ArrayList<>(drain(placed, audit, progress));
            placing.shutdownNow();
            if (violations.isEmpty()) {
                placed.get();
            }
            violations.addAll(audit.violations());
            for (String queue : queues.all()) {
                int dead = Queue.named(services.sqs(), OrderQueues.deadLetters(queue))
                        .size();
                if (dead > 0) {
                    violations.add("%d dead letters of %s".formatted(dead, queue));
                }
            }
            progress.accept(
                    "%d orders: %d completed, %d cancelled; %d kills; %d timed out, %d late successes, %d resent, %d held"
                            .formatted(
                                    audit.sagas(),
                                    audit.ended("COMPLETED"),
                                    audit.ended("CANCELLED"),
                                    killed,
                                    audit.transitions("TIMED_OUT"),
                                    audit.transitions("LATE_SUCCESS"),
                                    audit.transitions("RESENT"),
                                    audit.transitions("HELD")));
            // On a busy machine processes take long to come up, and one that isn't up isn't worth a kill.
            if (killed * LEAST_KILLED < kills) {
                violations.add("only %d kills of %d".formatted(killed, kills));
            }
            return violations;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> settings(
            LocalServices services, OrderQueues queues, PostgresServer.Database database) {
        Map<String, String> settings = new HashMap<>(services.properties());
        settings.putAll(database.properties());
        settings.putAll(queues.properties());
        settings.put("once.roles", "order-participants");
        settings.put("once.test.order-weather", "bad");
        settings.put("once.sagas.queue-prefix", queues.prefix());
        settings.put("once.sagas.definitions", ShortTimeouts.definitions(Duration.ofSeconds(2), 1));
        settings.put("once.sagas.timer", "500ms");
        settings.put("once.orders.pollers", "2");
        // What a killed process has left behind comes back after these.
        settings.put("once.charges.visibility", "5s");
        settings.put("once.aws.call-timeout", "2s");
        settings.put("once.outbox.lease", "5s");
        settings.put("once.charges.back-off", "200ms");
        settings.put("once.charges.max-back-off", "2s");
        settings.put("spring.datasource.hikari.maximum-pool-size", "10");
        return settings;
    }

    /** Over as much time as the kills take, so that each of them meets orders under way. */
    private void place(List<OrderPod> pods) {
        Duration pace = BETWEEN_KILLS.multipliedBy(kills).dividedBy(orders);
        Instant start = Instant.now();
        for (int order = 0; order < orders; order++) {
            Duration early = Duration.between(Instant.now(), start.plus(pace.multipliedBy(order)));
            if (early.isPositive()) {
                await().pollDelay(early).atMost(early.plusSeconds(5)).until(() -> true);
            }
            String orderId = id(order);
            untilAnswered(pods, pod -> pod.place(orderId));
            if (order % ONE_CANCELLED_IN == ONE_CANCELLED_IN - 1) {
                String cancelled = id(order - ThreadLocalRandom.current().nextInt(ONE_CANCELLED_IN));
                untilAnswered(pods, pod -> pod.cancel(cancelled));
            }
        }
    }

    private static String id(int order) {
        return "O-%04d".formatted(order);
    }

    @FunctionalInterface
    private interface Call {
        int to(OrderPod pod) throws IOException;
    }

    /** Asks again, whichever process is there, as callers do that have missed the answer: an order's id names it. */
    private static void untilAnswered(List<OrderPod> pods, Call call) {
        await("an answer over HTTP")
                .atMost(LONGEST_PLACING)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    try {
                        int status =
                                call.to(pods.get(ThreadLocalRandom.current().nextInt(pods.size())));
                        if (status >= 400 && status < 500 && status != 409) {
                            throw new IllegalStateException("refused with " + status);
                        }
                        return status < 500;
                    } catch (IOException e) {
                        return false;
                    }
                });
    }

    private int kill(
            List<OrderPod> pods, List<Participants> participants, OrderAudit audit, Consumer<String> progress) {
        int killed = 0;
        // One that is still starting isn't worth a kill.
        Instant end = Instant.now().plus(BETWEEN_KILLS.multipliedBy(kills)).plusSeconds(30);
        while (killed < kills && Instant.now().isBefore(end)) {
            await().pollDelay(BETWEEN_KILLS)
                    .atMost(BETWEEN_KILLS.plusSeconds(5))
                    .until(() -> true);
            List<Runnable> up = new ArrayList<>();
            pods.stream().filter(OrderPod::hasStarted).forEach(pod -> up.add(pod::restart));
            participants.stream().filter(Participants::hasStarted).forEach(pod -> up.add(pod::restart));
            if (!up.isEmpty()) {
                up.get(ThreadLocalRandom.current().nextInt(up.size())).run();
                killed++;
                if (killed % 5 == 0) {
                    progress.accept(
                            "%d kills, %d orders under way of %d".formatted(killed, audit.live(), audit.sagas()));
                }
            }
        }
        return killed;
    }

    /** Until the last of them is placed and has ended, and everyone was told. */
    private List<String> drain(Future<?> placed, OrderAudit audit, Consumer<String> progress) {
        int[] said = {-1};
        try {
            await().atMost(longestDrain).pollInterval(Duration.ofSeconds(1)).until(() -> {
                int live = audit.live();
                if (live != said[0]) {
                    progress.accept("%d orders under way of %d".formatted(live, audit.sagas()));
                    said[0] = live;
                }
                return placed.isDone() && live == 0 && audit.sagas() == orders && audit.unsent() == 0;
            });
            return List.of();
        } catch (ConditionTimeoutException e) {
            return List.of("after %s %d orders of %d are under way, and %d messages not sent"
                    .formatted(longestDrain, audit.live(), audit.sagas(), audit.unsent()));
        }
    }
}
