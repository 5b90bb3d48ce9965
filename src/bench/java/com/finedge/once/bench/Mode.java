package com.finedge.once.bench;

import java.util.Arrays;
import java.util.Locale;

/** What a consumer is measured against. */
enum Mode {
    CLOUD,
    CPU,
    EMULATORS;

    static Mode of(String name) {
        return Arrays.stream(values())
                .filter(mode -> mode.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown mode: " + name));
    }

    Rig rig() {
        return switch (this) {
            case CLOUD -> new StubRig(Latencies.cloud());
            case CPU -> new StubRig(Latencies.none());
            case EMULATORS -> new EmulatorRig();
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
