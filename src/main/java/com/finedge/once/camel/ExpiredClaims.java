package com.finedge.once.camel;

import com.finedge.once.adapter.postgres.JdbcClaimStore;
import java.time.InstantSource;

/** The step of the route {@code purge-claims}: what DynamoDB does by itself. */
public final class ExpiredClaims {

    private final JdbcClaimStore store;
    private final InstantSource clock;

    public ExpiredClaims(JdbcClaimStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Forgets the claims that have expired. */
    public void purge() {
        Purge.inBatches(most -> store.purge(clock.instant(), most));
    }
}
