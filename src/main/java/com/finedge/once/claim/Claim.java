package com.finedge.once.claim;

import java.time.Instant;

/**
 * The right to perform one effect until the lease ends, as granted to one owner.
 *
 * <p>A lease is no mutual exclusion: an owner that was paused may still be at work when its successor starts. What a
 * claim promises is that only the present owner can record anything.
 *
 * @param key what was claimed
 * @param fingerprint the content it was claimed for
 * @param owner who holds it: made anew for every claim, never reused by a restarted process
 * @param fence grows by one with every grant of this key, from 1
 * @param attempt which run of the effect this is, from 1: counts grants since the claim was made or last reopened
 * @param leaseUntil when others may take over
 */
public record Claim(
        ClaimKey key, Fingerprint fingerprint, String owner, long fence, long attempt, Instant leaseUntil) {}
