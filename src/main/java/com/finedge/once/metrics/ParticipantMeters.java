package com.finedge.once.metrics;

import com.finedge.once.saga.Direction;
import com.finedge.once.saga.ParticipantListener;
import com.finedge.once.saga.Participation;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** Counts what participants do about the commands of sagas. */
public final class ParticipantMeters implements ParticipantListener {

    private final MeterRegistry meters;

    public ParticipantMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Steps are those of this process's own routes, so there are as many tags as these. */
    @Override
    public void handled(String step, Direction direction, Participation participation) {
        meters.counter(
                        MeterNames.SAGA_COMMANDS,
                        "step",
                        step,
                        "direction",
                        direction.name().toLowerCase(Locale.ROOT),
                        "result",
                        participation.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .increment();
    }
}
