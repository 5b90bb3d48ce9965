package com.finedge.once.adapter.opentelemetry;

import com.finedge.once.outbox.Outbox;
import com.finedge.once.outbox.OutboxMessage;
import io.opentelemetry.api.trace.Span;
import java.util.List;

/** Lets messages continue the trace of the request or message that they are added for. */
final class TracedOutbox implements Outbox {

    private final Outbox outbox;

    TracedOutbox(Outbox outbox) {
        this.outbox = outbox;
    }

    @Override
    public void add(OutboxMessage message) {
        addAll(List.of(message));
    }

    @Override
    public void addAll(List<OutboxMessage> messages) {
        outbox.addAll(Traceparent.of(Span.current())
                .map(traceparent -> messages.stream()
                        .map(message -> message.with(Traceparent.NAME, traceparent))
                        .toList())
                .orElse(messages));
    }
}
