package com.finedge.once.architecture.samples.claim;

import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Supplier;

class TakesTimeAndIdsByReference {

    InstantSource clock() {
        return Instant::now;
    }

    Supplier<UUID> ids() {
        return UUID::randomUUID;
    }
}
