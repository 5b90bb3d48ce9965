package com.finedge.once.support;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that moves when it is told to. */
public final class SettableClock implements InstantSource {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-01T10:00:00Z"));

    @Override
    public Instant instant() {
        return now.get();
    }

    /** Moves the clock forward. */
    public void advance(Duration by) {
        now.updateAndGet(then -> then.plus(by));
    }
}
