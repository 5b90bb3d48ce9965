package com.finedge.once.camel;

import com.finedge.once.claim.ClaimKey;
import java.time.Instant;

/** Another owner is performing the effect: this message must not be acknowledged yet. */
public class ClaimInProgressException extends RuntimeException {

    public ClaimInProgressException(ClaimKey key, Instant leaseUntil) {
        super(key + ": in progress elsewhere until " + leaseUntil);
    }
}
