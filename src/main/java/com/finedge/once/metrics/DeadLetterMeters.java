package com.finedge.once.metrics;

import com.finedge.once.deadletter.DeadLetterListener;
import com.finedge.once.deadletter.Depth;
import com.finedge.once.deadletter.Standing;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;

/** Says what dead-letter queues hold, and counts what is redriven from them. */
public final class DeadLetterMeters implements DeadLetterListener {

    private static final String QUEUE = "queue";

    private final MeterRegistry meters;
    private final InstantSource clock;
    private final ConcurrentMap<String, AtomicReference<Standing>> standings = new ConcurrentHashMap<>();

    public DeadLetterMeters(MeterRegistry meters, InstantSource clock) {
        this.meters = meters;
        this.clock = clock;
    }

    @Override
    public void watched(Standing standing) {
        standings.computeIfAbsent(standing.queue(), this::registered).set(standing);
    }

    private AtomicReference<Standing> registered(String queue) {
        AtomicReference<Standing> last =
                new AtomicReference<>(new Standing(queue, new Depth(0, 0), null, Instant.EPOCH));
        Gauge.builder(
                        MeterNames.DEAD_LETTERS,
                        last,
                        current -> current.get().depth().visible())
                .tag(QUEUE, queue)
                .register(meters);
        Gauge.builder(MeterNames.DEAD_LETTERS_OLDEST, last, this::age)
                .tag(QUEUE, queue)
                .baseUnit("seconds")
                .register(meters);
        return last;
    }

    private double age(AtomicReference<Standing> last) {
        Instant oldest = last.get().oldest();
        return oldest == null
                ? 0
                : Math.max(0, Duration.between(oldest, clock.instant()).toMillis() / 1000.0);
    }

    @Override
    public void redriven(String queue, String word) {
        meters.counter(MeterNames.DEAD_LETTERS_REDRIVEN, QUEUE, queue, "verdict", word)
                .increment();
    }
}
