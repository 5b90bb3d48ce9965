package com.finedge.once.deadletter;

import org.jspecify.annotations.Nullable;

/** Whether the effect of a claim has happened, by the word of whoever performs it. */
public sealed interface Evidence {

    /** It wasn't asked: the claim leaves no doubt. */
    record NotAsked() implements Evidence {}

    /** @param reference the performer's name of the effect, if it gave one */
    record Happened(@Nullable String reference) implements Evidence {}

    /** It has not happened, as far as anybody knows now. */
    record NotHappened() implements Evidence {}

    /** @param reason why there is no answer: no personal data */
    record Unsure(String reason) implements Evidence {}
}
