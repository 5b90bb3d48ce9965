package com.finedge.once.order;

import com.finedge.once.charge.Money;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Something that has happened to an order and will never not have happened; a step back is a fact of its own. */
public sealed interface OrderFact {

    /** Money was taken. */
    record Payment(UUID id, UUID sagaId, String orderId, String customerId, Money amount, Instant takenAt)
            implements OrderFact {}

    /** All that was taken was given back. */
    record Refund(UUID id, UUID paymentId, Money amount, Instant refundedAt) implements OrderFact {}

    /** Items were set aside. */
    record StockReservation(UUID id, UUID sagaId, String orderId, List<Item> items, Instant reservedAt)
            implements OrderFact {

        public StockReservation {
            items = List.copyOf(items);
        }
    }

    /** All that was set aside was put back. */
    record StockRelease(UUID id, UUID reservationId, Instant releasedAt) implements OrderFact {}

    /** A carrier will come for the parcel. */
    record Shipment(UUID id, UUID sagaId, String orderId, String customerId, UUID reservationId, Instant arrangedAt)
            implements OrderFact {}

    /** The carrier won't come. */
    record ShipmentCancellation(UUID shipmentId, Instant cancelledAt) implements OrderFact {}

    /** The order is final. */
    record Confirmation(UUID sagaId, String orderId, UUID paymentId, UUID shipmentId, Instant confirmedAt)
            implements OrderFact {}
}
