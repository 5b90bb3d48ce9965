package com.finedge.once.bench;

import com.finedge.once.dev.LocalAws;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * How fast the outbox gets to its queue: the application as it is delivered, with one, two and four relays, a real
 * PostgreSQL and the stub of SQS with its 8 ms; beside it, in the same run, a publisher that takes one row at a time, as most
 * home-made ones do.
 */
final class OutboxBench {

    private static final String QUEUE = "charges";
    private static final int WARM_UP = 5_000;
    private static final int ROWS = 20_000;
    private static final int ROWS_ONE_BY_ONE = 500;
    private static final int IDLE_COMMITS = 100;
    private static final Duration BETWEEN_COMMITS = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final double TIMES_FASTER = 10;
    private static final Duration IDLE_LATENCY = Duration.ofMillis(50);

    private final PostgresServer postgres;
    private final StubServer stub;
    private final List<String> broken = new ArrayList<>();

    private OutboxBench(PostgresServer postgres, StubServer stub) {
        this.postgres = postgres;
        this.stub = stub;
    }

    /** What doesn't hold. */
    static List<String> measure() throws InterruptedException {
        LocalAws.useLocalCredentials();
        try (PostgresServer postgres = PostgresServer.start(0);
                StubServer stub = StubServer.start(Latencies.cloud())) {
            stub.createQueue(QUEUE);
            return new OutboxBench(postgres, stub).run();
        } catch (TimeoutException e) {
            return List.of("outbox: " + e.getMessage());
        }
    }

    private List<String> run() throws InterruptedException, TimeoutException {
        System.out.printf("%n%-24s %9s %15s %12s%n", "outbox", "rows/s", "SQS calls/row", "commit->SQS");
        double oneByOne = oneByOne();
        double best = 0;
        for (int relays : new int[] {1, 2, 4}) {
            best = Math.max(best, relays(relays));
        }
        System.out.printf(
                Locale.ROOT,
                "outbox: rows/s, relays / one by one %.1f (at least %.0f)%n",
                best / oneByOne,
                TIMES_FASTER);
        if (best < TIMES_FASTER * oneByOne) {
            broken.add("outbox: only %.1f times as fast as one by one".formatted(best / oneByOne));
        }
        return broken;
    }

    private double relays(int relays) throws InterruptedException, TimeoutException {
        PostgresServer.Database database = postgres.fresh().migrated();
        Map<String, String> settings = new HashMap<>(database.properties());
        settings.put("once.roles", "billing");
        settings.put("once.aws.sqs-endpoint", stub.uri().toString());
        settings.put("once.aws.dynamodb-endpoint", stub.uri().toString());
        settings.put("once.outbox.relays", Integer.toString(relays));
        DataSource dataSource = database.dataSource();
        try (RunningOnce once = RunningOnce.start(settings)) {
            Objects.requireNonNull(once);
            add(dataSource, WARM_UP, "warm");
            StubServer.Snapshot before = stub.snapshot();
            int arrived = stub.arrived(QUEUE);
            long start = System.nanoTime();
            add(dataSource, ROWS, "row");
            long end = stub.arrivals(QUEUE).getLast().nanos();
            if (stub.arrived(QUEUE) - arrived != ROWS) {
                broken.add("outbox: %d messages of %d rows".formatted(stub.arrived(QUEUE) - arrived, ROWS));
            }
            double rate = ROWS / seconds(end - start);
            double calls = (stub.snapshot().count(Api.SQS) - before.count(Api.SQS)) / (double) ROWS;
            Duration latency = idleLatency(dataSource);
            System.out.printf(
                    Locale.ROOT,
                    "%-24s %9.0f %15.2f %9d ms%n",
                    relays + (relays == 1 ? " relay" : " relays"),
                    rate,
                    calls,
                    latency.toMillis());
            if (latency.compareTo(IDLE_LATENCY) > 0) {
                broken.add("outbox: %d ms from an idle commit to SQS, %d at most"
                        .formatted(latency.toMillis(), IDLE_LATENCY.toMillis()));
            }
            return rate;
        }
    }

    /** In one transaction, and waits until the queue has them. */
    private void add(DataSource dataSource, int rows, String kind) throws InterruptedException, TimeoutException {
        int before = stub.arrived(QUEUE);
        JdbcClient.create(dataSource)
                .sql("""
                        INSERT INTO outbox (event_id, queue, body, attributes)
                        SELECT :kind || '-' || n, :queue, repeat('x', 250), '{"traceparent": "00-a-b-01"}'
                        FROM generate_series(1, :rows) AS n""")
                .param("kind", kind)
                .param("queue", QUEUE)
                .param("rows", rows)
                .update();
        await(before + rows, () -> stub.arrived(QUEUE));
    }

    /** The middle one of many commits that come one at a time. */
    private Duration idleLatency(DataSource dataSource) throws InterruptedException, TimeoutException {
        JdbcClient jdbc = JdbcClient.create(dataSource);
        List<Long> latencies = new ArrayList<>();
        for (int i = 0; i < IDLE_COMMITS; i++) {
            int before = stub.arrived(QUEUE);
            jdbc.sql("INSERT INTO outbox (event_id, queue, body) VALUES (?, ?, 'x')")
                    .params("idle-" + i, QUEUE)
                    .update();
            long committed = System.nanoTime();
            await(before + 1, () -> stub.arrived(QUEUE));
            latencies.add(stub.arrivals(QUEUE).getLast().nanos() - committed);
            Thread.sleep(BETWEEN_COMMITS);
        }
        return Duration.ofNanos(latencies.stream().sorted().toList().get(IDLE_COMMITS / 2));
    }

    /** Polls without a pause, so that it isn't slower than it must be; sends inside the transaction, as they do. */
    private double oneByOne() {
        DataSource dataSource = postgres.fresh().migrated().dataSource();
        JdbcClient jdbc = JdbcClient.create(dataSource);
        TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
        jdbc.sql("""
                        INSERT INTO outbox (event_id, queue, body)
                        SELECT 'row-' || n, :queue, repeat('x', 250) FROM generate_series(1, :rows) AS n""").param("queue", QUEUE).param("rows", ROWS_ONE_BY_ONE).update();
        try (SqsClient sqs = LocalAws.sqs(stub.uri())) {
            String url = sqs.getQueueUrl(request -> request.queueName(QUEUE)).queueUrl();
            int warmUp = ROWS_ONE_BY_ONE / 5;
            for (int row = 0; row < warmUp; row++) {
                transaction.executeWithoutResult(status -> sendOne(jdbc, sqs, url));
            }
            long start = System.nanoTime();
            for (int row = warmUp; row < ROWS_ONE_BY_ONE; row++) {
                transaction.executeWithoutResult(status -> sendOne(jdbc, sqs, url));
            }
            double rate = (ROWS_ONE_BY_ONE - warmUp) / seconds(System.nanoTime() - start);
            System.out.printf(Locale.ROOT, "%-24s %9.0f %15.2f %12s%n", "one by one", rate, 1.0, "-");
            return rate;
        }
    }

    private static void sendOne(JdbcClient jdbc, SqsClient sqs, String url) {
        Map<String, Object> row = jdbc.sql(
                        "SELECT id, body FROM outbox WHERE state = 'PENDING' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED")
                .query()
                .singleRow();
        sqs.sendMessage(request -> request.queueUrl(url).messageBody(String.valueOf(row.get("body"))));
        jdbc.sql("UPDATE outbox SET state = 'SENT', sent_at = now() WHERE id = ?")
                .param(row.get("id"))
                .update();
    }

    private static void await(long expected, LongSupplier actual) throws InterruptedException, TimeoutException {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (actual.getAsLong() < expected) {
            if (System.nanoTime() > end) {
                throw new TimeoutException(
                        "%d of %d messages after %d s".formatted(actual.getAsLong(), expected, LONGEST.toSeconds()));
            }
            Thread.sleep(1);
        }
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
