package com.finedge.once.order;

/** How a wish to cancel an order is answered. */
public enum CancelResult {
    /** It will be, unless it turns out to be too late. */
    ACCEPTED,
    /** It is too late. */
    TOO_LATE,
    /** There is no such order. */
    UNKNOWN
}
