package com.finedge.once.billing;

import com.finedge.once.claim.Fingerprint;
import java.time.Duration;
import java.util.Optional;

/** Remembers what idempotency keys were used for; all but the purge within a transaction of {@link BilledCharges}. */
public interface IdempotencyKeys {

    /**
     * What a key was used for.
     *
     * @param request of the request that came with it
     */
    record Use(Fingerprint request, String chargeId) {}

    /**
     * Takes hold of a key until the transaction ends, however it ends.
     *
     * @return false, without waiting, where another transaction holds it
     */
    boolean hold(IdempotencyKey key);

    /** What a key that is held was used for. */
    Optional<Use> find(IdempotencyKey key);

    /** Remembers what a key that is held is used for. */
    void use(IdempotencyKey key, Use use);

    /**
     * Forgets keys that were used before so long.
     *
     * @param most how many at once, so that no lock is held for long
     * @return how many it forgot
     */
    int purge(Duration usedBefore, int most);
}
