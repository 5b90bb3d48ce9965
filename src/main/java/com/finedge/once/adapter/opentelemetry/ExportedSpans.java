package com.finedge.once.adapter.opentelemetry;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.semconv.ErrorAttributes;
import io.opentelemetry.semconv.HttpAttributes;
import io.opentelemetry.semconv.ServerAttributes;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets nothing out of a span but its name, its times and the attributes that are known here: exceptions, URLs and whatever a
 * library adds may quote an account or a body. Of an error its type stays. Spring's HTTP spans get the names of OpenTelemetry's
 * conventions, on the exporter's thread.
 */
public final class ExportedSpans implements SpanExporter {

    private static final Set<AttributeKey<?>> KNOWN = Set.of(
            SpanAttributes.MESSAGING_SYSTEM,
            SpanAttributes.DESTINATION,
            SpanAttributes.OPERATION,
            SpanAttributes.OPERATION_TYPE,
            SpanAttributes.MESSAGE_ID,
            SpanAttributes.RECEIVES,
            SpanAttributes.CHARGE_ID,
            SpanAttributes.SAGA_ID,
            SpanAttributes.ATTEMPT_STATUS,
            SpanAttributes.CLAIM_OUTCOME,
            SpanAttributes.DB_SYSTEM,
            ErrorAttributes.ERROR_TYPE);

    private final SpanExporter exporter;

    /** @param exporter gets what may be seen */
    public ExportedSpans(SpanExporter exporter) {
        this.exporter = exporter;
    }

    /** The names of our own attributes that may leave. */
    public static Set<String> names() {
        return KNOWN.stream().map(AttributeKey::getKey).collect(toUnmodifiableSet());
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        return exporter.export(
                spans.stream().map(span -> (SpanData) new Exported(span)).toList());
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }

    private static final class Exported extends DelegatingSpanData {

        private static final AttributeKey<String> URL_TEMPLATE = AttributeKey.stringKey("url.template");

        private final String name;
        private final Attributes attributes;

        private Exported(SpanData span) {
            super(span);
            String method = spring(span, "method");
            AttributesBuilder known = span.getAttributes().toBuilder().removeIf(key -> !KNOWN.contains(key));
            this.name = method == null ? span.getName() : http(span, method, known);
            this.attributes = known.build();
        }

        /** Returns the span's name. */
        private static String http(SpanData span, String method, AttributesBuilder known) {
            known.put(HttpAttributes.HTTP_REQUEST_METHOD, method);
            String status = spring(span, "status");
            if (status != null && status.matches("[1-5][0-9]{2}")) {
                known.put(HttpAttributes.HTTP_RESPONSE_STATUS_CODE, Long.valueOf(status));
            }
            String host = spring(span, "client.name");
            if (host != null) {
                known.put(ServerAttributes.SERVER_ADDRESS, host);
            }
            String exception = spring(span, "exception");
            if (exception != null && !exception.equals("none")) {
                known.put(ErrorAttributes.ERROR_TYPE, exception);
            }
            // What isn't a route is a word for none.
            String route = spring(span, "uri");
            if (route == null || !route.startsWith("/")) {
                return method;
            }
            known.put(span.getKind() == SpanKind.SERVER ? HttpAttributes.HTTP_ROUTE : URL_TEMPLATE, route);
            return method + " " + route;
        }

        private static @Nullable String spring(SpanData span, String name) {
            return span.getAttributes().get(AttributeKey.stringKey(name));
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public Attributes getAttributes() {
            return attributes;
        }

        @Override
        public int getTotalAttributeCount() {
            return attributes.size();
        }

        @Override
        public List<EventData> getEvents() {
            return List.of();
        }

        @Override
        public int getTotalRecordedEvents() {
            return 0;
        }

        @Override
        public StatusData getStatus() {
            return StatusData.create(super.getStatus().getStatusCode(), "");
        }
    }
}
