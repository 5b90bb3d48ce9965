package com.finedge.once.architecture.samples.adapter.sqs;

import com.finedge.once.architecture.samples.config.SomeProperties;

interface SeesTheConfiguration {
    SomeProperties sees();
}
