package com.finedge.once.architecture.samples.adapter.sqs;

import com.finedge.once.architecture.samples.metrics.SomeMeters;

interface SeesTheMeters {
    SomeMeters sees();
}
