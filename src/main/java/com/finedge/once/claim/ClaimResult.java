package com.finedge.once.claim;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What came of an attempt to claim. Being refused is an answer, not an error. */
public sealed interface ClaimResult {

    /** The same in one word, for a route to branch on. */
    ClaimOutcome outcome();

    /**
     * The effect is the caller's to perform.
     *
     * @param claim what to record the end with
     * @param takenOverFrom the owner whose lease had lapsed, if this is a takeover
     */
    record Acquired(Claim claim, @Nullable String takenOverFrom) implements ClaimResult {
        @Override
        public ClaimOutcome outcome() {
            return ClaimOutcome.ACQUIRED;
        }
    }

    /** The effect is recorded. */
    record Done(ClaimRecord existing) implements ClaimResult {
        @Override
        public ClaimOutcome outcome() {
            return ClaimOutcome.DUPLICATE_DONE;
        }
    }

    /** Another owner holds the lease. */
    record InProgress(ClaimRecord existing) implements ClaimResult {
        @Override
        public ClaimOutcome outcome() {
            return ClaimOutcome.DUPLICATE_IN_PROGRESS;
        }

        /** When it is worth asking again. */
        public Instant leaseUntil() {
            return existing.leaseUntil();
        }
    }

    /** The effect was given up. */
    record Failed(ClaimRecord existing) implements ClaimResult {
        @Override
        public ClaimOutcome outcome() {
            return ClaimOutcome.DUPLICATE_FAILED;
        }
    }

    /** The key is claimed for other content, whatever its state; the claim was not touched. */
    record Conflict(ClaimRecord existing) implements ClaimResult {
        @Override
        public ClaimOutcome outcome() {
            return ClaimOutcome.CONFLICT;
        }
    }
}
