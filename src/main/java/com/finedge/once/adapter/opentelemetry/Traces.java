package com.finedge.once.adapter.opentelemetry;

import com.finedge.once.charge.OutcomePort;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.outbox.MessageSender;
import com.finedge.once.outbox.Outbox;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spans around messages, claims and what is sent, each at a seam of our own. Where nothing is traced nothing stands around
 * them.
 */
public final class Traces {

    /** Traces nothing. */
    public static final Traces NONE = new Traces(null);

    private static final Work UNTRACED = failure -> {};

    private final @Nullable Tracer tracer;

    private Traces(@Nullable Tracer tracer) {
        this.tracer = tracer;
    }

    /** Traces by this. */
    public static Traces of(OpenTelemetry openTelemetry) {
        return new Traces(openTelemetry.getTracer("com.finedge.once"));
    }

    /** Work that has begun on this thread. */
    @FunctionalInterface
    public interface Work {

        /**
         * Ends it, on the same thread.
         *
         * @param failure what it has failed with, if it has
         */
        void end(@Nullable Throwable failure);
    }

    /**
     * Begins the work on a received message, as a part of its sender's trace, or of a new one where that is none. Another
     * delivery of the message is another span of the same trace.
     *
     * @param receives how often the message was received, this delivery included
     */
    @SuppressWarnings("MustBeClosedChecker") // by whoever ends the work
    public Work process(String queue, String messageId, int receives, @Nullable String traceparent) {
        if (tracer == null) {
            return UNTRACED;
        }
        Context parent = Traceparent.parent(traceparent);
        Span span = SpanAttributes.message(tracer.spanBuilder("process " + queue), "process", queue)
                .setParent(parent)
                .setSpanKind(SpanKind.CONSUMER)
                .setAttribute(SpanAttributes.MESSAGE_ID, messageId)
                .setAttribute(SpanAttributes.RECEIVES, (long) receives)
                .startSpan();
        Scope scope = parent.with(span).makeCurrent();
        return failure -> {
            if (failure != null) {
                SpanAttributes.failed(span, failure.getClass().getName());
            }
            scope.close();
            span.end();
        };
    }

    /** Says of this thread's span which charge it is about. */
    public static void charge(String chargeId) {
        Span.current().setAttribute(SpanAttributes.CHARGE_ID, chargeId);
    }

    /** Says of this thread's span which saga it is for. */
    public static void saga(String sagaId) {
        Span.current().setAttribute(SpanAttributes.SAGA_ID, sagaId);
    }

    /** Says of this thread's span what became of its attempt at a charge. */
    public static void attempt(String status) {
        Span.current().setAttribute(SpanAttributes.ATTEMPT_STATUS, status);
    }

    /** What this thread's span sends along with a message. */
    public static Map<String, String> attributes() {
        return Traceparent.of(Span.current())
                .map(traceparent -> Map.of(Traceparent.NAME, traceparent))
                .orElse(Map.of());
    }

    /** What is added to the outbox is sent along with the trace of the work that adds it. */
    public Outbox outbox(Outbox outbox) {
        return tracer == null ? outbox : new TracedOutbox(outbox);
    }

    /** A span for each message that is sent, in the trace that the message belongs to. */
    public MessageSender sender(MessageSender sender) {
        return tracer == null ? sender : new TracedSender(sender, tracer);
    }

    /** A span for each outcome that is sent. */
    public OutcomePort outcomes(OutcomePort outcomes, String queue) {
        return tracer == null ? outcomes : new TracedOutcomes(outcomes, queue, tracer);
    }

    /**
     * A span for each claim, and for what is written of it; renewals have none.
     *
     * @param system the conventions' name of the database
     */
    public ClaimStore claims(ClaimStore store, String system) {
        return tracer == null ? store : new TracedClaimStore(store, system, tracer);
    }

    /** A span of a message on its way to a queue. */
    static Span send(Tracer tracer, Context parent, String queue) {
        return SpanAttributes.message(tracer.spanBuilder("send " + queue), "send", queue)
                .setParent(parent)
                .setSpanKind(SpanKind.PRODUCER)
                .startSpan();
    }
}
