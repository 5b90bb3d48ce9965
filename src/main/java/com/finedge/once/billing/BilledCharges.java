package com.finedge.once.billing;

import java.util.Optional;
import java.util.function.Supplier;

/** Where billing keeps its charges. */
public interface BilledCharges {

    /**
     * Does the work in one transaction, joining the caller's where there is one: all that it stores, also through the
     * outbox and the idempotency keys, is there afterwards, or nothing is.
     */
    <T> T inTransaction(Supplier<T> work);

    /**
     * Stores a charge that nothing is known of yet.
     *
     * @return false, and nothing is stored, where there is one of its id
     */
    boolean add(BilledCharge charge);

    /** The charge of that id. */
    Optional<BilledCharge> find(String chargeId);

    /** The same, kept from others that would settle it until the transaction ends. */
    Optional<BilledCharge> lock(String chargeId);

    /** Records how a charge has ended, over whatever was known. */
    void settle(String chargeId, Settlement settlement);
}
