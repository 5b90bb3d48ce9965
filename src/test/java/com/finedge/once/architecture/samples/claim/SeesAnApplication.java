package com.finedge.once.architecture.samples.claim;

import com.finedge.once.architecture.samples.charge.SomeCharge;

interface SeesAnApplication {
    SomeCharge sees();
}
