package com.finedge.once.order;

import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.UndoResult;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Sets the items of an order aside, and puts them back. */
public final class Inventory {

    private final OrderPolicy policy;
    private final OrderFacts facts;
    private final InstantSource clock;
    private final Supplier<UUID> ids;

    public Inventory(OrderPolicy policy, OrderFacts facts, InstantSource clock, Supplier<UUID> ids) {
        this.policy = policy;
        this.facts = facts;
        this.clock = clock;
        this.ids = ids;
    }

    /** Sets them aside: {@code orderId}, {@code items} of {@code sku} and {@code quantity}. */
    public ActionResult reserve(UUID sagaId, SagaData command) {
        Fields fields = new Fields(command);
        String orderId = fields.key("orderId");
        List<Item> items = fields.items();
        Optional<Refusal> refusal = policy.refusesStock(orderId, items);
        if (refusal.isPresent()) {
            return refusal.get().of(orderId, "StockUnavailable.v1");
        }
        var reservation = new OrderFact.StockReservation(ids.get(), sagaId, orderId, items, clock.instant());
        facts.add(reservation);
        return new ActionResult.Done("StockReserved.v1", told(orderId, reservation.id()));
    }

    /** Puts back what was set aside. */
    public UndoResult release(SagaData reserved) {
        Fields fields = new Fields(reserved);
        UUID reservationId = fields.id("reservationId");
        facts.add(new OrderFact.StockRelease(ids.get(), reservationId, clock.instant()));
        return new UndoResult.Undone("StockReleased.v1", told(fields.key("orderId"), reservationId));
    }

    private static SagaData told(String orderId, UUID reservationId) {
        return new SagaData(Map.of("orderId", orderId, "reservationId", reservationId.toString()));
    }
}
