package com.finedge.once.config;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.autoconfigure.logging.OpenTelemetryLoggingAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.opentelemetry.OpenTelemetryAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.tracing.NoopTracerAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.tracing.otlp.OtlpTracingAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Makes no spans where no collector would get them: Spring Boot makes them, and throws them away. */
class TracingWhereAsked implements AutoConfigurationImportFilter, EnvironmentAware {

    private static final Set<String> TRACING = Set.of(
            OpenTelemetryAutoConfiguration.class.getName(),
            OpenTelemetryTracingAutoConfiguration.class.getName(),
            OtlpTracingAutoConfiguration.class.getName(),
            MicrometerTracingAutoConfiguration.class.getName(),
            NoopTracerAutoConfiguration.class.getName());

    /** Never: it comes with the exporter, has a thread of its own, and nothing to send. */
    private static final String LOGS = OpenTelemetryLoggingAutoConfiguration.class.getName();

    private boolean asked;

    @Override
    public void setEnvironment(Environment environment) {
        asked = StringUtils.hasText(environment.getProperty("management.otlp.tracing.endpoint"))
                && environment.getProperty("management.tracing.enabled", Boolean.class, true);
    }

    @Override
    public boolean[] match(@Nullable String[] configurations, AutoConfigurationMetadata metadata) {
        boolean[] kept = new boolean[configurations.length];
        for (int i = 0; i < kept.length; i++) {
            String name = configurations[i];
            kept[i] = name == null || (!name.equals(LOGS) && (asked || !TRACING.contains(name)));
        }
        return kept;
    }
}
