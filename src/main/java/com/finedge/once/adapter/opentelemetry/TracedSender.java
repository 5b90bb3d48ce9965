package com.finedge.once.adapter.opentelemetry;

import com.finedge.once.outbox.LeasedMessage;
import com.finedge.once.outbox.MessageSender;
import com.finedge.once.outbox.SendResult;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A span for each message that a relay sends: the receiver's parent. A message without a trace stays without one here. */
final class TracedSender implements MessageSender {

    private final MessageSender sender;
    private final Tracer tracer;

    TracedSender(MessageSender sender, Tracer tracer) {
        this.sender = sender;
        this.tracer = tracer;
    }

    @Override
    public Map<Long, SendResult> send(List<LeasedMessage> messages) {
        Map<Long, Span> spans = new HashMap<>();
        List<LeasedMessage> traced = new ArrayList<>();
        for (LeasedMessage leased : messages) {
            String traceparent = leased.message().attributes().get(Traceparent.NAME);
            if (traceparent == null) {
                traced.add(leased);
            } else {
                Span span = Traces.send(
                        tracer,
                        Traceparent.parent(traceparent),
                        leased.message().queue());
                spans.put(leased.row(), span);
                traced.add(leased.with(Traceparent.NAME, Traceparent.of(span).orElse(traceparent)));
            }
        }
        Map<Long, SendResult> results = Map.of();
        try {
            results = sender.send(traced);
        } finally {
            for (Map.Entry<Long, Span> span : spans.entrySet()) {
                end(span.getValue(), results.get(span.getKey()));
            }
        }
        return results;
    }

    private static void end(Span span, @Nullable SendResult result) {
        if (result instanceof SendResult.Sent(String messageId)) {
            span.setAttribute(SpanAttributes.MESSAGE_ID, messageId);
        } else {
            SpanAttributes.failed(
                    span, result == null ? "_OTHER" : result.getClass().getSimpleName());
        }
        span.end();
    }
}
