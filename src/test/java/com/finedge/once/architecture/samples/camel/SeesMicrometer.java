package com.finedge.once.architecture.samples.camel;

import io.micrometer.core.instrument.MeterRegistry;

interface SeesMicrometer {
    MeterRegistry sees();
}
