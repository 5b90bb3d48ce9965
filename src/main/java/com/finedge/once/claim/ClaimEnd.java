package com.finedge.once.claim;

import java.time.Instant;
import java.util.Map;

/**
 * How a claim ends.
 *
 * @param state {@link ClaimState#DONE} or {@link ClaimState#FAILED}
 * @param outcome one word for what became of the effect
 * @param detail small facts, no personal data
 * @param at when
 * @param expiresAt when the store may forget the claim, after every way its message could still come back
 */
public record ClaimEnd(ClaimState state, String outcome, Map<String, String> detail, Instant at, Instant expiresAt) {

    /** @throws IllegalArgumentException for a state that is no end */
    public ClaimEnd {
        if (state == ClaimState.IN_PROGRESS) {
            throw new IllegalArgumentException("IN_PROGRESS is no end");
        }
        detail = Map.copyOf(detail);
    }
}
