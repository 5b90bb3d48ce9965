package com.finedge.once.charge;

import com.finedge.once.claim.ClaimKey;

/**
 * The business key of a charge, and the idempotency key of its debit.
 *
 * @param value as it was sent; of the form that {@link ClaimKey} asks for
 */
public record ChargeId(String value) {

    /** The scope of all charges' claims. */
    public static final String SCOPE = "charge-recovery";

    public ChargeId {
        new ClaimKey(SCOPE, value);
    }

    /** What is claimed before the charge is debited. */
    public ClaimKey claimKey() {
        return new ClaimKey(SCOPE, value);
    }

    @Override
    public String toString() {
        return value;
    }
}
