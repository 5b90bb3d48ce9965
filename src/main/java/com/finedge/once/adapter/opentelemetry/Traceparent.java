package com.finedge.once.adapter.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * W3C Trace Context by its {@code traceparent} alone: 55 characters of a form that can hold nothing else. What isn't of that
 * form is as good as none. {@code tracestate} and baggage are anybody's text, and would be passed on to the bank.
 */
public final class Traceparent implements TextMapPropagator {

    /** The header's name, and the message attribute's. */
    public static final String NAME = "traceparent";

    private static final Traceparent INSTANCE = new Traceparent();

    private static final TextMapPropagator W3C = W3CTraceContextPropagator.getInstance();

    private static final TextMapGetter<String> ITSELF = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(String carrier) {
            return List.of(NAME);
        }

        @Override
        public @Nullable String get(@Nullable String carrier, String key) {
            return carrier;
        }
    };

    private Traceparent() {}

    /** The only one: it keeps nothing. */
    public static Traceparent propagator() {
        return INSTANCE;
    }

    /** The context of a sender, or that of nobody. */
    static Context parent(@Nullable String traceparent) {
        return traceparent == null ? Context.root() : INSTANCE.extract(Context.root(), traceparent, ITSELF);
    }

    /** What a receiver continues the trace of this span by. */
    static Optional<String> of(Span span) {
        SpanContext context = span.getSpanContext();
        return context.isValid()
                ? Optional.of("00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                        + context.getTraceFlags().asHex())
                : Optional.empty();
    }

    @Override
    public Collection<String> fields() {
        return List.of(NAME);
    }

    @Override
    public <C> void inject(Context context, @Nullable C carrier, TextMapSetter<C> setter) {
        of(Span.fromContext(context)).ifPresent(traceparent -> setter.set(carrier, NAME, traceparent));
    }

    @Override
    public <C> Context extract(Context context, @Nullable C carrier, TextMapGetter<C> getter) {
        return W3C.extract(context, carrier, new TextMapGetter<C>() {
            @Override
            public Iterable<String> keys(C from) {
                return List.of(NAME);
            }

            @Override
            public @Nullable String get(@Nullable C from, String key) {
                return key.equals(NAME) ? getter.get(from, key) : null;
            }
        });
    }
}
