package com.finedge.once.charge;

import org.jspecify.annotations.Nullable;

/** What the bank knows of a debit. */
public sealed interface DebitSearch {

    /**
     * The money was moved.
     *
     * @param reference the bank's reference, if it gave one
     */
    record Found(@Nullable String reference) implements DebitSearch {}

    /** No debit of this key was made. */
    record NotFound() implements DebitSearch {}

    /** @param reason why the bank can't say, for the record: no personal data */
    record NoAnswer(String reason) implements DebitSearch {}
}
