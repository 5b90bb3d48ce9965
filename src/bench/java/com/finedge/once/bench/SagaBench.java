package com.finedge.once.bench;

import com.finedge.once.contract.OrderPlaced;
import com.finedge.once.dev.LocalAws;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.order.OrderRequest;
import com.finedge.once.order.Orders;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * How many orders two processes of sagas bring from their placing to their end, on one PostgreSQL and the stub of SQS with
 * its 8 ms; the participants, a third application, take their share of the same processors.
 */
final class SagaBench {

    private static final int WARM_UP = 400;
    private static final int SAGAS = 1_500;
    private static final int CALLERS = 4;
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final double LEAST_PER_SECOND = 50;
    private static final double MOST_STATEMENTS = 9;

    private final StubServer stub;
    private final JdbcClient jdbc;
    private final Map<String, String> settings;
    private final List<String> broken = new ArrayList<>();

    private SagaBench(StubServer stub, PostgresServer.Database database) {
        this.stub = stub;
        this.jdbc = JdbcClient.create(database.dataSource());
        this.settings = new HashMap<>(database.properties());
        settings.put("once.aws.sqs-endpoint", stub.uri().toString());
        // Migrated already; Flyway would want to know what stands behind a data source that counts.
        settings.put("spring.flyway.enabled", "false");
    }

    /** What doesn't hold. */
    static List<String> measure() throws InterruptedException {
        LocalAws.useLocalCredentials();
        try (PostgresServer postgres = PostgresServer.start(0);
                StubServer stub = StubServer.start(Latencies.cloud())) {
            OrderQueues.STANDARD.all().forEach(queue -> {
                stub.createQueue(queue);
                stub.createQueue(OrderQueues.deadLetters(queue));
            });
            return new SagaBench(stub, postgres.fresh().migrated()).run();
        } catch (TimeoutException e) {
            return List.of("sagas: " + e.getMessage());
        } catch (ExecutionException e) {
            return List.of("sagas: " + e.getCause());
        }
    }

    private RunningOnce start(String role) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("once.roles", role);
        // Their stops end long polls and a connection that listens, which is said as a warning.
        all.put("logging.level.root", "error");
        return RunningOnce.start(all, CountedStatements.class);
    }

    private List<String> run() throws InterruptedException, TimeoutException, ExecutionException {
        System.out.printf(
                "%n%-24s %9s %21s %9s %9s%n", "sagas", "sagas/s", "statements/transition", "p50 ms", "p99 ms");
        try (RunningOnce one = start("order-saga");
                RunningOnce other = start("order-saga");
                RunningOnce participants = start("order-participants")) {
            Objects.requireNonNull(participants);
            List<Orders> pods = List.of(one.bean(Orders.class), other.bean(Orders.class));
            complete(pods, "W-", WARM_UP);
            long statements = CountedStatements.statements();
            long transitions = transitions();
            long start = System.nanoTime();
            complete(pods, "O-", SAGAS);
            double rate = SAGAS * 1e9 / (System.nanoTime() - start);
            double each = (CountedStatements.statements() - statements) / (double) (transitions() - transitions);
            System.out.printf(
                    Locale.ROOT,
                    "%-24s %9.0f %21.2f %9.0f %9.0f%n",
                    "2 x sagas, participants",
                    rate,
                    each,
                    latencyMillis(0.5),
                    latencyMillis(0.99));
            if (rate < LEAST_PER_SECOND) {
                broken.add("sagas: %.0f a second, at least %.0f".formatted(rate, LEAST_PER_SECOND));
            }
            if (each > MOST_STATEMENTS) {
                broken.add("sagas: %.1f statements a transition, at most %.0f".formatted(each, MOST_STATEMENTS));
            }
            stub.problems().forEach(problem -> broken.add("sagas: " + problem));
        }
        return broken;
    }

    /** Places so many orders as fast as it goes, and waits until all are completed. */
    private void complete(List<Orders> pods, String prefix, int sagas)
            throws InterruptedException, TimeoutException, ExecutionException {
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < sagas; i++) {
                String orderId = prefix + i;
                Orders orders = pods.get(i % pods.size());
                all.add(callers.submit(() -> orders.place(
                        new OrderRequest(orderId, "C-42", "19.90", "EUR", List.of(new OrderPlaced.Item("S-1", 2))),
                        null,
                        null)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        long end = System.nanoTime() + LONGEST.toNanos();
        long completed = completed(prefix);
        while (completed < sagas) {
            if (System.nanoTime() > end) {
                throw new TimeoutException(
                        "%d of %d orders completed after %d s".formatted(completed, sagas, LONGEST.toSeconds()));
            }
            Thread.sleep(50);
            completed = completed(prefix);
        }
    }

    private long completed(String prefix) {
        return jdbc.sql("SELECT count(*) FROM saga_instance WHERE outcome = 'COMPLETED' AND business_key LIKE ? || '%'")
                .param(prefix)
                .query(Long.class)
                .single();
    }

    private long transitions() {
        return jdbc.sql("SELECT count(*) FROM saga_event").query(Long.class).single();
    }

    /** From the start of a saga to its end, under this load. */
    private double latencyMillis(double quantile) {
        return jdbc.sql("""
                        SELECT 1000 * extract(epoch FROM percentile_cont(?) WITHIN GROUP (ORDER BY ended_at - started_at))
                        FROM saga_instance WHERE business_key LIKE 'O-%'""").param(quantile).query(Double.class).single();
    }
}
