package com.finedge.once.claim;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One attempt to claim; the store decides nothing that isn't in here or in the record.
 *
 * @param key what to claim
 * @param fingerprint the content it is claimed for
 * @param owner the owner-to-be, unique to this attempt and the same through all transport retries of it
 * @param now the time by which an existing lease is judged
 * @param leaseUntil the end of the new lease, after {@code now}
 */
public record ClaimRequest(ClaimKey key, Fingerprint fingerprint, String owner, Instant now, Instant leaseUntil) {

    /** @throws IllegalArgumentException if the lease would have ended before it begins */
    public ClaimRequest {
        // Stores keep milliseconds. A finer time would be refused by what is stored and granted by what was read of it.
        now = now.truncatedTo(ChronoUnit.MILLIS);
        leaseUntil = leaseUntil.truncatedTo(ChronoUnit.MILLIS);
        if (!leaseUntil.isAfter(now)) {
            throw new IllegalArgumentException("a lease must end after it begins");
        }
    }
}
