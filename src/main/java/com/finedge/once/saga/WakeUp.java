package com.finedge.once.saga;

import java.time.Duration;

/** What becomes of the time at which a saga is to be woken. */
public sealed interface WakeUp {

    /** It stays. */
    record Unchanged() implements WakeUp {}

    /** It is so long from now. */
    record After(Duration delay) implements WakeUp {}

    /** There is none: the saga has ended or is parked. */
    record Never() implements WakeUp {}
}
