package com.finedge.once.order;

import java.util.UUID;

/** Where the facts of orders are kept; only added to, and only within a transaction of the caller's. */
public interface OrderFacts {

    /**
     * Adds a fact.
     *
     * @throws IllegalStateException outside a transaction: the fact could stay where what belongs to it doesn't
     */
    void add(OrderFact fact);

    /** Whether the carrier has the parcel, so that its shipment can't be cancelled any more. */
    boolean isDispatched(UUID shipmentId);
}
