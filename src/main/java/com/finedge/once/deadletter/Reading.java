package com.finedge.once.deadletter;

import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.Fingerprint;

/** What the body of a dead letter turned out to be. */
public sealed interface Reading {

    /**
     * A message that asks for an effect.
     *
     * @param key what is claimed for it
     * @param fingerprint its content
     */
    record Valid(ClaimKey key, Fingerprint fingerprint) implements Reading {}

    /**
     * No valid message: it was never claimed and never will be.
     *
     * @param code the kind of rule it breaks
     * @param rule field and rule, and never a value
     */
    record Invalid(String code, String rule) implements Reading {}
}
