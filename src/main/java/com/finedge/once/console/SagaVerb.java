package com.finedge.once.console;

import com.finedge.once.saga.SagaEvent.Verb;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an operator can do to a saga, as it is written and explained to him. */
public enum SagaVerb {
    RETRY_NOW("Sends again what the saga waits for. It never turns the saga back."),
    PARK("Lets nothing wake the saga up. Answers that come are still applied."),
    UNPARK("Lets the saga go on. What has asked for attention counts as seen to."),
    COMPENSATE(
            "Turns the saga back, as if its current step had timed out: everything that was done, or may have been, is"
                    + " undone in reverse. Refused once the pivot is done."),
    MARK_UNDONE(
            "Takes an undo that isn't confirmed for done, because a person has undone the step outside. Nothing is sent"
                    + " for it any more.");

    private final String effect;

    SagaVerb(String effect) {
        this.effect = effect;
    }

    /** What it does. */
    public String effect() {
        return effect;
    }

    /** As it stands in addresses, for instance {@code retry-now}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it needs a step and evidence. */
    public boolean needsEvidence() {
        return this == MARK_UNDONE;
    }

    static Optional<SagaVerb> named(String label) {
        return Arrays.stream(values())
                .filter(verb -> verb.label().equals(label))
                .findFirst();
    }

    static SagaVerb of(Verb verb) {
        return switch (verb) {
            case Verb.RetryNow retry -> RETRY_NOW;
            case Verb.Park park -> PARK;
            case Verb.Unpark unpark -> UNPARK;
            case Verb.Compensate compensate -> COMPENSATE;
            case Verb.MarkUndone undone -> MARK_UNDONE;
        };
    }

    /** @throws IllegalArgumentException if a step or evidence is missing */
    Verb verb(@Nullable String step, @Nullable String evidence) {
        return switch (this) {
            case RETRY_NOW -> new Verb.RetryNow();
            case PARK -> new Verb.Park();
            case UNPARK -> new Verb.Unpark();
            case COMPENSATE -> new Verb.Compensate();
            case MARK_UNDONE -> {
                if (step == null || evidence == null) {
                    throw new IllegalArgumentException("mark-undone needs a step and evidence");
                }
                yield new Verb.MarkUndone(step, evidence);
            }
        };
    }
}
