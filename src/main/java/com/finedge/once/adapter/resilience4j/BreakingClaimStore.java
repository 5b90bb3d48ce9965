package com.finedge.once.adapter.resilience4j;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.ClaimWrite;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Makes no new claim while the circuit of the store is open. What an owner has to record is always tried: the effect
 * has happened, and every answer that gets through saves a second run.
 */
public final class BreakingClaimStore implements ClaimStore {

    private final ClaimStore store;
    private final CircuitBreaker circuit;

    public BreakingClaimStore(ClaimStore store, CircuitBreaker circuit) {
        this.store = store;
        this.circuit = circuit;
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        try {
            return circuit.executeSupplier(() -> store.claim(request));
        } catch (CallNotPermittedException e) {
            throw new ClaimStoreException(request.key() + ": the circuit of the claim store is open", e);
        }
    }

    @Override
    public ClaimWrite finish(Claim claim, ClaimEnd end) {
        return store.finish(claim, end);
    }

    @Override
    public ClaimWrite renew(Claim claim, Instant now, Instant leaseUntil) {
        return store.renew(claim, now, leaseUntil);
    }

    @Override
    public ClaimWrite release(Claim claim, Instant now) {
        return store.release(claim, now);
    }

    @Override
    public boolean reopen(ClaimKey key, Map<String, String> detail, Instant now) {
        return store.reopen(key, detail, now);
    }

    @Override
    public boolean settle(ClaimRecord seen, ClaimEnd end) {
        return store.settle(seen, end);
    }

    @Override
    public Optional<ClaimRecord> find(ClaimKey key) {
        return store.find(key);
    }
}
