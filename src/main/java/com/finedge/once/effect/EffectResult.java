package com.finedge.once.effect;

/** What is certain about an effect after a run of it. */
public sealed interface EffectResult {

    /**
     * It has happened, now or in an earlier run: it is recorded, and never run again.
     *
     * @param outcome one word for what became of it, for instance {@code ISSUED}
     */
    record Done(String outcome) implements EffectResult {}

    /**
     * It has not happened and never will: the message goes to the dead-letter queue.
     *
     * @param code why as a code, for instance {@code NO_SUCH_CUSTOMER}
     * @param reason the same for people; no personal data
     */
    record Refused(String code, String reason) implements EffectResult {}

    /**
     * Whether it has happened isn't known, or it couldn't be tried: it is run again after a back-off.
     *
     * @param reason why, for people; no personal data
     */
    record Uncertain(String reason) implements EffectResult {}
}
