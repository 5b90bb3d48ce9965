package com.finedge.once.effect;

/**
 * What a message asks for, and what must happen once for its business key.
 *
 * <p>It is run once, but for the moment in which a process dies between the effect and its record: then it is run again,
 * with the same {@link EffectRequest#idempotencyKey()}. Whatever it changes must take that key, or be harmless when it
 * happens twice.
 */
@FunctionalInterface
public interface Effect {

    /**
     * Performs it, within the lease of its claim. An exception is an uncertain end: it is tried again.
     *
     * @return what is certain about it
     */
    EffectResult perform(EffectRequest request);
}
