package com.finedge.once.architecture.samples.deadletter;

import com.finedge.once.architecture.samples.charge.SomeCharge;

interface SeesTheCharges {
    SomeCharge sees();
}
