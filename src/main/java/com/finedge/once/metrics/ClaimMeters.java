package com.finedge.once.metrics;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what happens to claims. */
public final class ClaimMeters implements ClaimListener {

    private static final String SCOPE = "scope";

    private final MeterRegistry meters;

    public ClaimMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void answered(ClaimKey key, ClaimResult result) {
        meters.counter(
                        MeterNames.CLAIMS,
                        SCOPE,
                        key.scope(),
                        "outcome",
                        result.outcome().name())
                .increment();
        if (result instanceof ClaimResult.Acquired acquired && acquired.takenOverFrom() != null) {
            meters.counter(MeterNames.TAKEOVERS, SCOPE, key.scope()).increment();
        }
    }

    @Override
    public void ended(Claim claim, ClaimState state, String outcome) {
        meters.counter(MeterNames.ENDED, SCOPE, claim.key().scope(), "state", state.name())
                .increment();
    }

    @Override
    public void settled(ClaimKey key, String outcome) {
        meters.counter(MeterNames.ENDED, SCOPE, key.scope(), "state", ClaimState.DONE.name())
                .increment();
    }

    @Override
    public void released(Claim claim) {
        meters.counter(MeterNames.RELEASED, SCOPE, claim.key().scope()).increment();
    }

    @Override
    public void leaseLost(Claim claim) {
        meters.counter(MeterNames.LEASE_LOST, SCOPE, claim.key().scope()).increment();
    }

    @Override
    public void holdLost(Claim claim) {
        meters.counter(MeterNames.HOLD_LOST, SCOPE, claim.key().scope()).increment();
    }
}
