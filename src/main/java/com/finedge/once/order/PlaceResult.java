package com.finedge.once.order;

/** How a request to place an order is answered. */
public sealed interface PlaceResult {

    /** It is placed, by this request or by the same one before. */
    record Placed(String orderId) implements PlaceResult {}

    /** Its id or key was used for an order with other content. */
    record OtherContent(String orderId) implements PlaceResult {}
}
