package com.finedge.once.camel;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.ClaimWrite;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Fingerprint;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.camel.support.service.ServiceSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims behind Camel's own {@code idempotentConsumer}, for routes that already use that pattern.
 *
 * <p>Use it with {@code completionEager="true"} and acknowledge the message in a step <em>after</em> the pattern: by
 * default Camel confirms only when the exchange is over, after that step, and then nothing that goes wrong in
 * confirming can hold the acknowledgement back. {@code eager} must stay true, its default.
 *
 * <p>A key that is DONE is a duplicate and skipped. A key in progress elsewhere <em>throws</em>
 * {@link ClaimInProgressException}: skipping would acknowledge a message whose only other run may still fail. With
 * {@code skipDuplicate="false"} a duplicate runs on without a claim, and neither confirms nor gives back the owner's.
 * With {@code removeOnFailure="false"} a failed run keeps its claim until the lease ends.
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

    private static final Logger log = LoggerFactory.getLogger(LeaseIdempotentRepository.class);

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
     * @return false if its effect is recorded
     * @throws ClaimInProgressException if somebody else is at it
     * @throws IllegalArgumentException if the key can't be one of a claim
     * @throws IllegalStateException if the key was given up, or claimed with other content, by something else that
     *     shares the scope: a skipped message would be gone without a trace, a failed one ends in the dead-letter queue
     * @throws ClaimStoreException if the store can't be asked
     */
    @Override
    public boolean add(Exchange exchange, String key) {
        ClaimKey claimKey = new ClaimKey(scope, key);
        return switch (claims.claim(claimKey, Fingerprint.of(key))) {
            case ClaimResult.Acquired acquired -> {
                exchange.setProperty(CLAIM + claimKey, acquired.claim());
                yield true;
            }
            case ClaimResult.Done done -> false;
            case ClaimResult.InProgress held -> throw new ClaimInProgressException(claimKey, held.leaseUntil());
            case ClaimResult.Failed failed -> throw new IllegalStateException(claimKey + ": was given up");
            case ClaimResult.Conflict conflict ->
                throw new IllegalStateException(claimKey + ": is claimed with other content");
        };
    }

    /**
     * Records the effect, or fails the exchange where the lease was lost or the store can't be asked.
     *
     * @return whether it is recorded; false also for an exchange that holds no claim of the key
     */
    @Override
    public boolean confirm(Exchange exchange, String key) {
        Claim claim = taken(exchange, key);
        if (claim == null) {
            return false;
        }
        // Never thrown: after an eager completion Camel would first run the rest of the route, and else ignore it.
        try {
            if (claims.markDone(claim, "CONFIRMED", Map.of()) == ClaimWrite.WRITTEN) {
                return true;
            }
            exchange.setException(new LeaseLostException(claim.key().toString()));
        } catch (ClaimStoreException e) {
            exchange.setException(e);
        }
        return false;
    }

    /**
     * Gives the claim back after a failure, so that the next delivery can run; where that fails, it runs when the lease
     * has ended.
     *
     * @return whether it was given back; false also for an exchange that holds no claim of the key
     */
    @Override
    public boolean remove(Exchange exchange, String key) {
        Claim claim = taken(exchange, key);
        if (claim == null) {
            return false;
        }
        try {
            return claims.release(claim) == ClaimWrite.WRITTEN;
        } catch (ClaimStoreException e) {
            log.warn("{}: can't be given back and stays claimed until {}: {}", claim.key(), claim.leaseUntil(), e);
            return false;
        }
    }

    /** Whether the effect of the key is recorded. */
    @Override
    public boolean contains(String key) {
        return claims.find(new ClaimKey(scope, key))
                .map(ClaimRecord::state)
                .filter(state -> state == ClaimState.DONE)
                .isPresent();
    }

    /** Refused: only a pattern that isn't eager asks it, to claim after the effect instead of before. */
    @Override
    public boolean contains(Exchange exchange, String key) {
        throw new UnsupportedOperationException("a claim is made before the effect: set eager to true");
    }

    /** Refused, as are all variants without an exchange. */
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

    private @Nullable Claim taken(Exchange exchange, String key) {
        return exchange.removeProperty(CLAIM + new ClaimKey(scope, key)) instanceof Claim claim ? claim : null;
    }

    private static UnsupportedOperationException withoutExchange() {
        return new UnsupportedOperationException("a claim belongs to an exchange: use the variant that takes one");
    }
}
