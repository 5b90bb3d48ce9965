package com.finedge.once.support;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.ClaimWrite;
import com.finedge.once.claim.InMemoryClaimStore;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The store in memory, for tests to let single operations go wrong. */
public class ForwardingClaimStore implements ClaimStore {

    private final ClaimStore store = new InMemoryClaimStore();

    /** Where each operation goes; a test whose store is down throws here. */
    protected ClaimStore store() {
        return store;
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        return store().claim(request);
    }

    @Override
    public ClaimWrite finish(Claim claim, ClaimEnd end) {
        return store().finish(claim, end);
    }

    @Override
    public ClaimWrite renew(Claim claim, Instant now, Instant leaseUntil) {
        return store().renew(claim, now, leaseUntil);
    }

    @Override
    public ClaimWrite release(Claim claim, Instant now) {
        return store().release(claim, now);
    }

    @Override
    public boolean reopen(ClaimKey key, Map<String, String> detail, Instant now) {
        return store().reopen(key, detail, now);
    }

    @Override
    public boolean settle(ClaimRecord seen, ClaimEnd end) {
        return store().settle(seen, end);
    }

    @Override
    public Optional<ClaimRecord> find(ClaimKey key) {
        return store().find(key);
    }
}
