package com.finedge.once.metrics;

import com.finedge.once.saga.Attention;
import com.finedge.once.saga.Disposition;
import com.finedge.once.saga.SagaCensus;
import com.finedge.once.saga.SagaListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** Counts what happens to sagas. */
public final class SagaMeters implements SagaListener {

    private final MeterRegistry meters;
    private final Set<String> behind = ConcurrentHashMap.newKeySet();
    private final AtomicReference<SagaCensus> census =
            new AtomicReference<>(new SagaCensus(List.of(), Map.of(), Set.of()));
    private final MultiGauge live;
    private final MultiGauge oldest;
    private final Counter repeated;
    private final Counter orphans;
    private final Counter failed;
    private final Timer lag;

    public SagaMeters(MeterRegistry meters) {
        this.meters = meters;
        live = MultiGauge.builder(MeterNames.SAGA_LIVE).register(meters);
        oldest = MultiGauge.builder(MeterNames.SAGA_OLDEST).baseUnit("seconds").register(meters);
        repeated = meters.counter(MeterNames.SAGA_REPEATED);
        orphans = meters.counter(MeterNames.SAGA_ORPHANS);
        failed = meters.counter(MeterNames.SAGA_TIMER_FAILED);
        lag = meters.timer(MeterNames.SAGA_TIMER_LAG);
        Gauge.builder(MeterNames.SAGA_QUEUES_BEHIND, behind, Set::size).register(meters);
        Gauge.builder(
                        MeterNames.SAGA_UNKNOWN_VERSIONS,
                        census,
                        current -> current.get().unknown().size())
                .register(meters);
        for (Attention reason : Attention.values()) {
            Gauge.builder(
                            MeterNames.SAGA_ATTENTION,
                            census,
                            current -> current.get().attention().getOrDefault(reason, 0L))
                    .tag("reason", written(reason))
                    .register(meters);
        }
    }

    private static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public void decided(String sagaType, Disposition disposition) {
        meters.counter(MeterNames.SAGA_TRANSITIONS, "saga", sagaType, "disposition", written(disposition))
                .increment();
    }

    @Override
    public void repeated() {
        repeated.increment();
    }

    @Override
    public void orphan() {
        orphans.increment();
    }

    @Override
    public void woken(Duration late) {
        lag.record(late);
    }

    @Override
    public void wakeFailed() {
        failed.increment();
    }

    @Override
    public void behind(String queue, boolean isBehind) {
        if (isBehind) {
            behind.add(queue);
        } else {
            behind.remove(queue);
        }
    }

    @Override
    public void counted(SagaCensus counted) {
        census.set(counted);
        // States come from definitions: there are as many as these have steps, twice.
        live.register(
                counted.live().stream()
                        .<Row<?>>map(state -> Row.of(tags(state), state.count()))
                        .toList(),
                true);
        oldest.register(
                counted.live().stream()
                        .<Row<?>>map(state -> Row.of(tags(state), state.oldest().toMillis() / 1000.0))
                        .toList(),
                true);
    }

    private static Tags tags(SagaCensus.InState state) {
        return Tags.of("saga", state.sagaType(), "state", state.state());
    }
}
