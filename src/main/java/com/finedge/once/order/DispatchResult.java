package com.finedge.once.order;

/** What became of the word that the carrier has a parcel. */
public enum DispatchResult {
    /** It is recorded, now or before. */
    DISPATCHED,
    /** Its shipment was cancelled before: the parcel must not go off. */
    CANCELLED,
    /** No shipment is arranged for the order. */
    UNKNOWN
}
