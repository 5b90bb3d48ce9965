package com.finedge.once.charge;

import com.finedge.once.contract.ChargeOutcome;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what is published, or refuses it. */
public final class RecordingOutcomes implements OutcomePort {

    private final List<ChargeOutcome> published = new CopyOnWriteArrayList<>();
    private volatile boolean down;

    /** Refuses everything from now on, or takes it again. */
    public void down(boolean refuses) {
        down = refuses;
    }

    /** What was published, repeats included. */
    public List<ChargeOutcome> published() {
        return List.copyOf(published);
    }

    @Override
    public boolean publish(ChargeOutcome outcome) {
        return !down && published.add(outcome);
    }
}
