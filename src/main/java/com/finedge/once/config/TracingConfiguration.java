package com.finedge.once.config;

import com.finedge.once.adapter.opentelemetry.ExportedSpans;
import com.finedge.once.adapter.opentelemetry.Traceparent;
import com.finedge.once.adapter.opentelemetry.Traces;
import io.micrometer.tracing.otel.bridge.Slf4JEventListener;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.tracing.SpanExporters;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which spans are made, and what goes in and out with them; {@link TracingWhereAsked} says whether. */
@Configuration(proxyBeanMethods = false)
class TracingConfiguration {

    @Bean
    Traces traces(ObjectProvider<OpenTelemetry> openTelemetry) {
        return openTelemetry.stream().findAny().map(Traces::of).orElse(Traces.NONE);
    }

    /** In place of Spring Boot's, which would let in tracestate, baggage and the headers of other systems. */
    @Bean
    ContextPropagators contextPropagators() {
        return ContextPropagators.create(Traceparent.propagator());
    }

    @Bean
    SpanExporters spanExporters(ObjectProvider<SpanExporter> exporters) {
        return SpanExporters.of(
                exporters.orderedStream().<SpanExporter>map(ExportedSpans::new).toList());
    }

    /** The names that the log's other lines have for them. */
    @Bean
    Slf4JEventListener traceInLogs() {
        return new Slf4JEventListener("trace.id", "span.id");
    }
}
