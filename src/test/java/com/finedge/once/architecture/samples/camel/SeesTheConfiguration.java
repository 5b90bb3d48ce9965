package com.finedge.once.architecture.samples.camel;

import com.finedge.once.architecture.samples.config.SomeProperties;

interface SeesTheConfiguration {
    SomeProperties sees();
}
