package com.finedge.once.order;

import java.time.Instant;

/** Where it is kept that carriers have parcels. */
@FunctionalInterface
public interface Dispatches {

    /**
     * Records that the carrier has the parcel of an order, in one atomic act: a shipment is dispatched or cancelled, and never
     * both.
     */
    DispatchResult dispatch(String orderId, Instant at);
}
