package com.finedge.once.claim;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Where claims are kept. Each operation is one atomic, conditional act; whoever implements this passes
 * {@code ClaimStoreContract}.
 *
 * <p>Every write of an owner needs {@code state = IN_PROGRESS and owner = the caller's}. The state alone is no
 * fence: a successor's claim is IN_PROGRESS too. A write that meets its own earlier success (the answer got lost, the
 * transport tried again) is {@link ClaimWrite#WRITTEN}.
 *
 * <p>Broken infrastructure is a {@link ClaimStoreException}: the caller knows nothing then and must not acknowledge
 * its message.
 */
public interface ClaimStore {

    /**
     * Grants the claim where the key is absent, or where it is IN_PROGRESS for the same content with a lease that
     * ended before {@code request.now()}. Otherwise answers with the record that stands in the way.
     *
     * <p>A record whose {@code expiresAt} has passed counts as long as it is there.
     */
    ClaimResult claim(ClaimRequest request);

    /** Records the end of the effect. */
    ClaimWrite finish(Claim claim, ClaimEnd end);

    /** Moves the end of the lease. */
    ClaimWrite renew(Claim claim, Instant now, Instant leaseUntil);

    /** Gives the claim back before its lease ends, so that the next delivery can claim it at once. */
    ClaimWrite release(Claim claim, Instant now);

    /**
     * Makes a FAILED claim claimable again and starts its attempts anew.
     *
     * @param detail who did it and why, added to the record's detail
     * @return whether there was a FAILED claim to reopen
     */
    boolean reopen(ClaimKey key, Map<String, String> detail, Instant now);

    /**
     * Ends a FAILED claim as DONE, because its effect turned out to have happened; on the condition that nobody was granted
     * it since it was seen.
     *
     * @param seen the claim as it was when that was found out
     * @param end of state {@link ClaimState#DONE}
     * @return whether it is recorded, by this call or by an earlier one of the same
     */
    boolean settle(ClaimRecord seen, ClaimEnd end);

    /** The record as it stands, read consistently. */
    Optional<ClaimRecord> find(ClaimKey key);
}
