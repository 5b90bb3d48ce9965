package com.finedge.once.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/** One uninterrupted run: the queue is full before the consumer starts. */
final class Run {

    /** Above the visibility timeout and the lease, so that a deferred duplicate isn't taken for a halt. */
    private static final Duration LONGEST_HALT = Duration.ofMinutes(2);

    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final int LOOKS_A_PROGRESS = 25;

    private final Rig rig;
    private final Peer peer;
    private final Options options;
    private final boolean toTheLast;

    /** @param toTheLast whether it goes on until the queue is empty, when every charge must have been debited */
    Run(Rig rig, Peer peer, Options options, boolean toTheLast) {
        this.rig = rig;
        this.peer = peer;
        this.options = options;
        this.toTheLast = toTheLast;
    }

    /**
     * Measures from the W-th to the (W+N)-th message done.
     *
     * @throws IllegalStateException if the consumer ends or stands still
     */
    Figures measure(Path log, IntConsumer progress) throws IOException, InterruptedException {
        Workload workload = Workload.of(options.total(), options.duplicates());
        rig.load(workload);
        try (ConsumerProcess consumer = ConsumerProcess.start(peer, rig.endpoints(), options, log)) {
            ProcessHandle handle = consumer.handle();
            CompletableFuture<StubServer.Snapshot> warm = rig.at(Math.max(1, options.warmup() / 2));
            CompletableFuture<Mark> start = rig.at(options.warmup()).thenApply(state -> Mark.of(state, handle));
            CompletableFuture<Mark> end =
                    rig.at(options.warmup() + options.messages()).thenApply(state -> Mark.of(state, handle));
            OptionalLong heapAtFirst = OptionalLong.empty();
            int done = 0;
            long lastProgress = System.nanoTime();
            for (int looks = 1; rig.depth() > 0 && rig.problems().isEmpty() && (toTheLast || !end.isDone()); looks++) {
                Thread.sleep(LOOK_EVERY.toMillis());
                if (warm.isDone() && heapAtFirst.isEmpty() && !start.isDone()) {
                    heapAtFirst = consumer.liveBytes();
                }
                if (rig.done() > done) {
                    done = rig.done();
                    lastProgress = System.nanoTime();
                }
                if (looks % LOOKS_A_PROGRESS == 0) {
                    progress.accept(done);
                }
                if (!consumer.isAlive() || System.nanoTime() - lastProgress > LONGEST_HALT.toNanos()) {
                    throw new IllegalStateException(peer.name() + (consumer.isAlive() ? " stands still" : " ended")
                            + " after " + done + " messages\n" + consumer.lastLines(30));
                }
            }
            if (!rig.problems().isEmpty()) {
                throw new IllegalStateException(String.join("\n", rig.problems()) + "\n" + consumer.lastLines(30));
            }
            if (!end.isDone()) {
                throw new IllegalStateException("the queue is empty too early: " + String.join(", ", wrong(workload)));
            }
            return figures(workload, start.join(), end.join(), heapAtFirst, consumer.liveBytes());
        }
    }

    private Figures figures(
            Workload workload, Mark start, Mark end, OptionalLong heapAtFirst, OptionalLong heapAtLast) {
        Duration elapsed = Duration.ofNanos(end.state.nanos() - start.state.nanos());
        var deletions = rig.deletions(start.state, end.state);
        return new Figures(
                options.messages(),
                end.state.debitedCharges() - start.state.debitedCharges(),
                elapsed,
                deletions.map(ignored -> Figures.Calls.between(start.state, end.state)),
                end.processor.consumer().minus(start.processor.consumer()),
                deletions.orElse(List.of()),
                ProcessorTime.othersCores(start.processor, end.processor, elapsed),
                heapAtFirst,
                heapAtLast,
                rig.ledger(),
                wrong(workload));
    }

    private List<String> wrong(Workload workload) {
        StubBank.Totals ledger = rig.ledger();
        List<String> wrong = new ArrayList<>();
        if (ledger.doubleDebits() > 0) {
            wrong.add(ledger.doubleDebits() + " charges debited twice");
        }
        if (ledger.repeatedDebits() > 0) {
            wrong.add(ledger.repeatedDebits() + " debits asked for again, though no call had failed");
        }
        if (toTheLast && ledger.debitedCharges() != workload.charges()) {
            wrong.add(ledger.debitedCharges() + " of " + workload.charges() + " charges debited");
        }
        if ((toTheLast && ledger.notifications() != workload.charges()) || ledger.repeatedNotifications() > 0) {
            wrong.add(ledger.notifications() + " notifications and " + ledger.repeatedNotifications()
                    + " repeated ones for " + workload.charges() + " charges");
        }
        if (rig.deadLetters() > 0) {
            wrong.add(rig.deadLetters() + " dead letters");
        }
        return wrong;
    }

    private record Mark(StubServer.Snapshot state, ProcessorTime processor) {

        static Mark of(StubServer.Snapshot state, ProcessHandle consumer) {
            return new Mark(state, ProcessorTime.sample(consumer));
        }
    }
}
