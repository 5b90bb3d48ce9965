package com.finedge.once.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a charge that takes the bank 5 s does to the messages beside it: they must be started as if it weren't there.
 *
 * <p>A message counts as started when its debit reaches the bank, so that the claim before it is part of the delay.
 */
final class Bystanders {

    private static final int WARM_UP = 4_000;
    private static final int BURSTS = 3;
    private static final int BURST = 400;
    private static final int BATCH = 10;

    /** Below what the machine can do: a queue for the processor would be measured too. */
    private static final Duration BETWEEN_BATCHES = Duration.ofMillis(50);

    private static final Duration SLOW = Duration.ofSeconds(5);
    private static final Duration LATEST_START = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Options options;
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    Bystanders(Options options) {
        this.options = options;
    }

    /**
     * The slow charge comes first in its batch of ten. Of three bursts the middle one is judged: others on the machine
     * can make one worse, and none better.
     *
     * @return what was broken
     * @throws IllegalStateException if the consumer ends or stands still
     */
    Optional<String> check(Peer peer, Path log) throws IOException, InterruptedException {
        List<Duration> latest = new ArrayList<>();
        try (StubRig rig = new StubRig(Latencies.cloud());
                ConsumerProcess consumer = ConsumerProcess.start(peer, rig.endpoints(), options, log)) {
            rig.send(bodies(0, WARM_UP));
            awaitEmpty(rig, consumer);
            for (int burst = 0; burst < BURSTS; burst++) {
                latest.add(latestStart(rig, consumer, WARM_UP + burst * BURST));
            }
        }
        Duration middle = latest.stream().sorted().toList().get(BURSTS / 2);
        System.out.printf(
                "beside a charge of %d s, the last of %d others started %s ms after its receive (at most %d)%n",
                SLOW.toSeconds(),
                BURST - 1,
                String.join(
                        " ", latest.stream().map(start -> "" + start.toMillis()).toList()),
                LATEST_START.toMillis());
        return middle.compareTo(LATEST_START) <= 0
                ? Optional.empty()
                : Optional.of("a message started %d ms after its receive beside a slow charge, %d at most"
                        .formatted(middle.toMillis(), LATEST_START.toMillis()));
    }

    private Duration latestStart(StubRig rig, ConsumerProcess consumer, int first)
            throws IOException, InterruptedException {
        int before = rig.done();
        rig.slowDebit(Workload.chargeId(first), SLOW);
        for (int sent = 0; sent < BURST; sent += BATCH) {
            rig.send(bodies(first + sent, BATCH));
            Thread.sleep(BETWEEN_BATCHES.toMillis());
        }
        awaitEmpty(rig, consumer);
        Map<String, Long> starts = rig.debitRequests();
        return rig.deletions().stream()
                .skip(before)
                .filter(deletion -> !chargeId(deletion).equals(Workload.chargeId(first)))
                .map(deletion -> started(deletion, starts))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private static Duration started(StubSqs.Deletion deletion, Map<String, Long> starts) {
        String charge = chargeId(deletion);
        long start = Objects.requireNonNull(starts.get(charge), charge);
        return Duration.ofNanos(start - (deletion.nanos() - deletion.sinceReceiveNanos()));
    }

    private List<String> bodies(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(charge -> Workload.body(charge, now))
                .toList();
    }

    private static void awaitEmpty(StubRig rig, ConsumerProcess consumer) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (rig.depth() > 0) {
            if (!consumer.isAlive() || System.nanoTime() - start > LONGEST.toNanos()) {
                throw new IllegalStateException("the consumer ended or stands still\n" + consumer.lastLines(30));
            }
            Thread.sleep(LOOK_EVERY.toMillis());
        }
    }

    private static String chargeId(StubSqs.Deletion deletion) {
        try {
            return JSON.readTree(deletion.body()).path("chargeId").asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
