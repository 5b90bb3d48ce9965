package com.finedge.once.metrics;

import com.finedge.once.inbox.InboxListener;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts the messages of the inbox. */
public final class InboxMeters implements InboxListener {

    private final MeterRegistry meters;

    public InboxMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Consumers are named in the code and by the steps of this process's own routes. */
    @Override
    public void received(String consumer, boolean isNew) {
        meters.counter(MeterNames.INBOX_RECEIVED, "consumer", consumer, "result", isNew ? "applied" : "duplicate")
                .increment();
    }
}
