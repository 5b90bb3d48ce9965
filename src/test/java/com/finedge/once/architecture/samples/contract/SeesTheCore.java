package com.finedge.once.architecture.samples.contract;

import com.finedge.once.architecture.samples.claim.SomeClaim;

interface SeesTheCore {
    SomeClaim sees();
}
