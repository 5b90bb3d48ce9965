package com.finedge.once.camel;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimWrite;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Fingerprint;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.camel.support.service.ServiceSupport;

/**
 * Claims behind Camel's own {@code idempotentConsumer}, for routes that already use that pattern.
 *
 * <p>Use it with {@code eager="true"} and {@code skipDuplicate="true"}, the defaults. A key that is DONE is a
 * duplicate and skipped. A key in progress elsewhere <em>throws</em> {@link ClaimInProgressException}: skipping would
 * acknowledge a message whose only other run may still fail.
 *
 * <p>What the interface can't express, and the route {@code recover-charge} can:
 *
 * <ul>
 *   <li>no conflict: it knows the key only, so other content under the same key is a duplicate;
 *   <li>no FAILED: a failure gives the claim back, and only the queue's redrive policy ends the attempts;
 *   <li>a duplicate in progress fails the exchange and comes back after the visibility time-out, not after the lease;
 *   <li>a lease lost meanwhile fails the exchange on {@code confirm}, after the effect.
 * </ul>
 *
 * <p>Only the variants with an exchange can claim: without one nobody knows whose claim to confirm.
 */
public final class LeaseIdempotentRepository extends ServiceSupport implements IdempotentRepository {

    private static final String CLAIM = "once.claim.";

    private final Claims claims;
    private final String scope;

    /** @param scope the scope of the claims, one a consumer */
    public LeaseIdempotentRepository(Claims claims, String scope) {
        this.claims = claims;
        this.scope = scope;
    }

    /**
     * Claims the key.
     *
     * @return false if its effect is recorded or was given up
     * @throws ClaimInProgressException if somebody else is at it
     */
    @Override
    public boolean add(Exchange exchange, String key) {
        ClaimKey claimKey = new ClaimKey(scope, key);
        return switch (claims.claim(claimKey, Fingerprint.of(key))) {
            case ClaimResult.Acquired acquired -> {
                exchange.setProperty(CLAIM + key, acquired.claim());
                yield true;
            }
            case ClaimResult.InProgress held -> throw new ClaimInProgressException(claimKey, held.leaseUntil());
            case ClaimResult.Done done -> false;
            case ClaimResult.Failed failed -> false;
            case ClaimResult.Conflict conflict -> false;
        };
    }

    /** Records the effect; fails the exchange where the lease was lost. */
    @Override
    public boolean confirm(Exchange exchange, String key) {
        if (claims.markDone(claimOf(exchange, key), "CONFIRMED", Map.of()) == ClaimWrite.LEASE_LOST) {
            throw new IllegalStateException(key + ": the lease was lost before the effect could be recorded");
        }
        return true;
    }

    /** Gives the claim back after a failure, so that the next delivery can run. */
    @Override
    public boolean remove(Exchange exchange, String key) {
        return claims.release(claimOf(exchange, key)) == ClaimWrite.WRITTEN;
    }

    /** Whether the effect of the key is recorded. */
    @Override
    public boolean contains(String key) {
        return claims.find(new ClaimKey(scope, key))
                .map(ClaimRecord::state)
                .filter(state -> state == ClaimState.DONE)
                .isPresent();
    }

    @Override
    public boolean add(String key) {
        throw withoutExchange();
    }

    @Override
    public boolean confirm(String key) {
        throw withoutExchange();
    }

    @Override
    public boolean remove(String key) {
        throw withoutExchange();
    }

    /** Never: it would let every charge be debited again. */
    @Override
    public void clear() {
        throw new UnsupportedOperationException("claims are not cleared: they expire by their retention");
    }

    private static Claim claimOf(Exchange exchange, String key) {
        Claim claim = exchange.getProperty(CLAIM + key, Claim.class);
        if (claim == null) {
            throw new IllegalStateException(key + ": this exchange holds no claim of it");
        }
        return claim;
    }

    private static UnsupportedOperationException withoutExchange() {
        return new UnsupportedOperationException("a claim belongs to an exchange: use the variant that takes one");
    }
}
