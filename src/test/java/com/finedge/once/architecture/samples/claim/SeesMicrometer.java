package com.finedge.once.architecture.samples.claim;

import io.micrometer.core.instrument.MeterRegistry;

interface SeesMicrometer {
    MeterRegistry sees();
}
