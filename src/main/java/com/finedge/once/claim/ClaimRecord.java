package com.finedge.once.claim;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A claim as it is stored.
 *
 * @param key what is claimed
 * @param state where it stands
 * @param owner who holds it, or recorded its end; none after a release or a reopening
 * @param fence how many grants there were in all
 * @param reopenedAtFence the fence at the last reopening, 0 if there was none: attempts count from there
 * @param leaseUntil when others may take over; in the past after a release or a reopening
 * @param fingerprint the content it was claimed for
 * @param outcome what became of the effect, once it is DONE or FAILED
 * @param detail small facts about it: references, reasons, ids; no personal data
 * @param createdAt when the key was first claimed
 * @param updatedAt when the record last changed
 * @param expiresAt when the store may forget it; only DONE and FAILED ones expire
 */
public record ClaimRecord(
        ClaimKey key,
        ClaimState state,
        @Nullable String owner,
        long fence,
        long reopenedAtFence,
        Instant leaseUntil,
        Fingerprint fingerprint,
        @Nullable String outcome,
        Map<String, String> detail,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant expiresAt) {

    public ClaimRecord {
        detail = Map.copyOf(detail);
    }

    /** How often the effect was tried since the claim was made or last reopened. */
    public long attempts() {
        return fence - reopenedAtFence;
    }
}
