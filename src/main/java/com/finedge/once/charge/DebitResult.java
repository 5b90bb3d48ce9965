package com.finedge.once.charge;

import org.jspecify.annotations.Nullable;

/** What the bank says to a debit. */
public sealed interface DebitResult {

    /** The same in one word, for a route to branch on. */
    DebitOutcome outcome();

    /**
     * The money is moved, now or by an earlier attempt with the same key.
     *
     * @param reference the bank's reference, if it gave one
     */
    record Debited(@Nullable String reference) implements DebitResult {
        @Override
        public DebitOutcome outcome() {
            return DebitOutcome.DEBITED;
        }
    }

    /**
     * The bank has decided against the debit.
     *
     * @param code the bank's reason as a code, for instance {@code INSUFFICIENT_FUNDS}
     */
    record Rejected(String code) implements DebitResult {
        @Override
        public DebitOutcome outcome() {
            return DebitOutcome.REJECTED;
        }
    }

    /** The debit has no certain end yet. */
    sealed interface Uncertain extends DebitResult {
        /** Why, for the log: no personal data. */
        String reason();
    }

    /** The bank did not take the debit. */
    record Unavailable(String reason) implements Uncertain {
        @Override
        public DebitOutcome outcome() {
            return DebitOutcome.UNAVAILABLE;
        }
    }

    /** The answer got lost or says nothing. */
    record Unknown(String reason) implements Uncertain {
        @Override
        public DebitOutcome outcome() {
            return DebitOutcome.UNKNOWN;
        }
    }
}
