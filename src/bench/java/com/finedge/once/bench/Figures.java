package com.finedge.once.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What one run of one consumer came to.
 *
 * @param messages how many messages the measured span took in
 * @param charges how many charges were debited in it
 * @param calls what was asked of SQS and DynamoDB meanwhile; empty where the rig can't count
 * @param processor the consumer's processor time without its JIT compilers
 * @param deletions the messages that were deleted meanwhile; none where the rig can't see them
 * @param othersCores how many cores processes that aren't ours kept busy
 * @param heapAtFirst live bytes in the middle of the warm-up
 * @param heapAtLast live bytes when the queue was empty
 * @param wrong what must not have happened and did
 */
record Figures(
        int messages,
        int charges,
        Duration elapsed,
        Optional<Calls> calls,
        Duration processor,
        List<StubSqs.Deletion> deletions,
        Optional<Double> othersCores,
        OptionalLong heapAtFirst,
        OptionalLong heapAtLast,
        StubBank.Totals ledger,
        List<String> wrong) {

    private static final long NANOS_A_SECOND = 1_000_000_000;
    private static final double MOST_DYNAMODB_CALLS = 1.91;
    private static final double MOST_SQS_CALLS = 0.21;
    private static final double MOST_OTHERS_CORES = 0.2;

    /** What a steady heap may differ by: caches that fill, and nothing that grows with the messages. */
    private static final long MOST_HEAP_GROWTH = 16L << 20;

    /** Requests to SQS and DynamoDB, and what they cost. */
    record Calls(Map<Call, Long> counts) {

        /** List prices, US East (N. Virginia): aws.amazon.com/sqs/pricing, standard queues, after the first million. */
        private static final double SQS_DOLLARS_A_MILLION = 0.40;
        /** aws.amazon.com/dynamodb/pricing/on-demand, as of 1 November 2024; an item of up to 1 KB. */
        private static final double WRITE_DOLLARS_A_MILLION = 0.625;
        /** The same list; a consistent read of up to 4 KB. */
        private static final double READ_DOLLARS_A_MILLION = 0.125;

        private static final Call READ = new Call(Api.DYNAMODB, "GetItem");

        static Calls between(StubServer.Snapshot from, StubServer.Snapshot to) {
            Map<Call, Long> counts =
                    new TreeMap<>(Comparator.comparing(Call::api).thenComparing(Call::operation));
            to.calls().forEach((call, count) -> {
                long meanwhile = count - from.calls().getOrDefault(call, 0L);
                if (meanwhile > 0 && (call.api() == Api.SQS || call.api() == Api.DYNAMODB)) {
                    counts.put(call, meanwhile);
                }
            });
            return new Calls(counts);
        }

        long to(Api api) {
            return counts.entrySet().stream()
                    .filter(entry -> entry.getKey().api() == api)
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        double dollars() {
            long reads = counts.getOrDefault(READ, 0L);
            return (to(Api.SQS) * SQS_DOLLARS_A_MILLION
                            + (to(Api.DYNAMODB) - reads) * WRITE_DOLLARS_A_MILLION
                            + reads * READ_DOLLARS_A_MILLION)
                    / 1_000_000;
        }
    }

    double messagesPerSecond() {
        return messages * 1e9 / elapsed.toNanos();
    }

    double processorMicrosPerMessage() {
        return processor.toNanos() / 1e3 / messages;
    }

    /** So many percent of the messages took at most this many milliseconds. */
    Optional<Double> latencyMillis(int percent) {
        if (deletions.isEmpty()) {
            return Optional.empty();
        }
        List<Long> sorted = deletions.stream()
                .map(StubSqs.Deletion::sinceReceiveNanos)
                .sorted()
                .toList();
        int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
        return Optional.of(sorted.get(rank - 1) / 1e6);
    }

    /** How many messages were deleted in each full second of the span. */
    List<Long> deletesBySecond() {
        long start = deletions.stream().mapToLong(StubSqs.Deletion::nanos).min().orElse(0);
        Map<Long, Long> counts = deletions.stream()
                .collect(Collectors.groupingBy(
                        deletion -> (deletion.nanos() - start) / NANOS_A_SECOND, Collectors.counting()));
        return LongStream.range(0, elapsed.toSeconds())
                .mapToObj(second -> counts.getOrDefault(second, 0L))
                .toList();
    }

    Optional<Double> sqsPerMessage() {
        return calls.map(counted -> counted.to(Api.SQS) / (double) messages);
    }

    Optional<Double> dynamoPerMessage() {
        return calls.map(counted -> counted.to(Api.DYNAMODB) / (double) messages);
    }

    Optional<Double> dollarsPerMillionCharges() {
        return calls.map(counted -> counted.dollars() / charges * 1_000_000);
    }

    /** Whether the machine was ours while it was measured; unknown counts as ours. */
    boolean valid() {
        return othersCores.orElse(0.0) <= MOST_OTHERS_CORES;
    }

    /** What the product promises and this run didn't keep. */
    List<String> broken() {
        List<String> broken = new ArrayList<>(wrong);
        sqsPerMessage()
                .filter(calls -> printed(calls) > MOST_SQS_CALLS)
                .ifPresent(
                        calls -> broken.add("%.2f SQS calls a message, %.2f at most".formatted(calls, MOST_SQS_CALLS)));
        dynamoPerMessage()
                .filter(calls -> printed(calls) > MOST_DYNAMODB_CALLS)
                .ifPresent(calls -> broken.add(
                        "%.2f DynamoDB calls a message, %.2f at most".formatted(calls, MOST_DYNAMODB_CALLS)));
        if (heapAtFirst.isPresent()
                && heapAtLast.isPresent()
                && heapAtLast.getAsLong() - heapAtFirst.getAsLong() > MOST_HEAP_GROWTH) {
            broken.add("the heap grew from %d to %d MiB"
                    .formatted(heapAtFirst.getAsLong() >> 20, heapAtLast.getAsLong() >> 20));
        }
        return broken;
    }

    /** With the two decimals that are printed. */
    private static double printed(double calls) {
        return Math.round(calls * 100) / 100.0;
    }
}
