package com.finedge.once.architecture.samples.claim;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

class TakesTimeAndIds {

    List<Object> everyWay() {
        return List.of(
                Instant.now(),
                LocalDate.now(ZoneOffset.UTC),
                System.currentTimeMillis(),
                System.nanoTime(),
                Clock.systemUTC(),
                InstantSource.system(),
                UUID.randomUUID(),
                ThreadLocalRandom.current(),
                Math.random(),
                new Random(),
                new SecureRandom(),
                new SplittableRandom());
    }
}
