package com.finedge.once.order;

import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.UndoResult;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Arranges the shipping of an order, and cancels it as long as the carrier hasn't got the parcel. */
public final class Shipping {

    private final OrderPolicy policy;
    private final OrderFacts facts;
    private final InstantSource clock;
    private final Supplier<UUID> ids;

    public Shipping(OrderPolicy policy, OrderFacts facts, InstantSource clock, Supplier<UUID> ids) {
        this.policy = policy;
        this.facts = facts;
        this.clock = clock;
        this.ids = ids;
    }

    /** Arranges it: {@code orderId}, {@code customerId}, {@code reservationId}. */
    public ActionResult arrange(UUID sagaId, SagaData command) {
        Fields fields = new Fields(command);
        String orderId = fields.key("orderId");
        String customerId = fields.key("customerId");
        UUID reservationId = fields.id("reservationId");
        Optional<Refusal> refusal = policy.refusesShipping(orderId, customerId);
        if (refusal.isPresent()) {
            return refusal.get().of(orderId, "ShippingFailed.v1");
        }
        var shipment = new OrderFact.Shipment(ids.get(), sagaId, orderId, customerId, reservationId, clock.instant());
        facts.add(shipment);
        return new ActionResult.Done("ShippingArranged.v1", told(orderId, shipment.id()));
    }

    /** Cancels it, unless the parcel is on its way. If it goes off at this very moment, that is an exception, and next time known. */
    public UndoResult cancel(SagaData arranged) {
        Fields fields = new Fields(arranged);
        UUID shipmentId = fields.id("shipmentId");
        SagaData told = told(fields.key("orderId"), shipmentId);
        if (facts.isDispatched(shipmentId)) {
            return new UndoResult.CannotUndo("ShipmentAlreadyDispatched.v1", told);
        }
        facts.add(new OrderFact.ShipmentCancellation(shipmentId, clock.instant()));
        return new UndoResult.Undone("ShipmentCancelled.v1", told);
    }

    private static SagaData told(String orderId, UUID shipmentId) {
        return new SagaData(Map.of("orderId", orderId, "shipmentId", shipmentId.toString()));
    }
}
