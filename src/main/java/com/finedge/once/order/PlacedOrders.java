package com.finedge.once.order;

import com.finedge.once.claim.Fingerprint;
import com.finedge.once.contract.OrderPlaced;
import java.util.Optional;
import java.util.function.Supplier;

/** Where orders are kept as they were placed. */
public interface PlacedOrders {

    /** Runs the work in one transaction, which what it throws rolls back. */
    <T> T inTransaction(Supplier<T> work);

    /** Adds an order; false if there is one of this id. */
    boolean add(OrderPlaced order, Fingerprint fingerprint);

    /** What the order's content was, if there is one of this id. */
    Optional<Fingerprint> find(String orderId);

    /** Notes the wish to cancel an order; false if it was noted before. */
    boolean requestCancel(String orderId);
}
