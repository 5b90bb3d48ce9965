package com.finedge.once.effect;

import java.time.Duration;

/** How a run of an effect ended, and was recorded. */
public sealed interface EffectAttempt {

    /** It is recorded as done. */
    record Recorded(String outcome) implements EffectAttempt {}

    /** It is recorded as failed, and given up. */
    record Failed(String code, String reason) implements EffectAttempt {}

    /** The claim was given back; the next run is due after the back-off. */
    record Postponed(String reason, Duration backOff) implements EffectAttempt {}

    /** Another owner took over, and nothing was recorded. */
    record LeaseLost() implements EffectAttempt {}
}
