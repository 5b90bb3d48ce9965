package com.finedge.once.adapter.opentelemetry;

import com.finedge.once.charge.OutcomePort;
import com.finedge.once.contract.ChargeOutcome;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/** A span for each outcome on its way: the receiver's parent. */
final class TracedOutcomes implements OutcomePort {

    private final OutcomePort outcomes;
    private final String queue;
    private final Tracer tracer;

    TracedOutcomes(OutcomePort outcomes, String queue, Tracer tracer) {
        this.outcomes = outcomes;
        this.queue = queue;
        this.tracer = tracer;
    }

    @Override
    public boolean publish(ChargeOutcome outcome) {
        Span span = Traces.send(tracer, Context.current(), queue);
        try {
            boolean taken = Context.current()
                    .with(span)
                    .wrapSupplier(() -> outcomes.publish(outcome))
                    .get();
            if (!taken) {
                SpanAttributes.failed(span, "_OTHER");
            }
            return taken;
        } finally {
            span.end();
        }
    }
}
