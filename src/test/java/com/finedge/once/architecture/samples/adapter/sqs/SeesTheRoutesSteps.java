package com.finedge.once.architecture.samples.adapter.sqs;

import com.finedge.once.architecture.samples.camel.SomeSteps;

interface SeesTheRoutesSteps {
    SomeSteps sees();
}
