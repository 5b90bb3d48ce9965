package com.finedge.once.architecture.samples.camel;

import io.opentelemetry.api.trace.Tracer;

interface SeesOpenTelemetry {
    Tracer sees();
}
