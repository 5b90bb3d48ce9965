package com.finedge.once.metrics;

import com.finedge.once.outbox.LeasedMessage;
import com.finedge.once.outbox.OutboxBacklog;
import com.finedge.once.outbox.OutboxListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Counts what happens to the messages of the outbox. */
public final class OutboxMeters implements OutboxListener {

    private final AtomicReference<OutboxBacklog> backlog =
            new AtomicReference<>(new OutboxBacklog(0, Duration.ZERO, 0));
    private final Counter sent;
    private final Counter resent;
    private final Counter failed;
    private final Counter parked;
    private final Counter leaseLost;

    public OutboxMeters(MeterRegistry meters) {
        Gauge.builder(
                        MeterNames.OUTBOX_PENDING,
                        backlog,
                        current -> current.get().pending())
                .register(meters);
        Gauge.builder(
                        MeterNames.OUTBOX_OLDEST_PENDING,
                        backlog,
                        current -> current.get().oldestPending().toMillis() / 1000.0)
                .baseUnit("seconds")
                .register(meters);
        Gauge.builder(
                        MeterNames.OUTBOX_PARKED,
                        backlog,
                        current -> current.get().parked())
                .register(meters);
        this.sent = meters.counter(MeterNames.OUTBOX_SENT);
        this.resent = meters.counter(MeterNames.OUTBOX_RESENT);
        this.failed = meters.counter(MeterNames.OUTBOX_FAILED);
        this.parked = meters.counter(MeterNames.OUTBOX_PARKINGS);
        this.leaseLost = meters.counter(MeterNames.OUTBOX_LEASE_LOST);
    }

    @Override
    public void resending(int count) {
        resent.increment(count);
    }

    @Override
    public void sent(int count) {
        sent.increment(count);
    }

    @Override
    public void leaseLost(int count) {
        leaseLost.increment(count);
    }

    @Override
    public void failed(LeasedMessage message, String reason) {
        failed.increment();
    }

    @Override
    public void parked(LeasedMessage message, String reason) {
        parked.increment();
    }

    @Override
    public void measured(OutboxBacklog measured) {
        backlog.set(measured);
    }
}
