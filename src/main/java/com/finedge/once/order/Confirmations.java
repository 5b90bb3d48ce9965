package com.finedge.once.order;

import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.SagaData;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;

/** Makes an order final once it is paid for and its shipping arranged; there is no way back and no refusal. */
public final class Confirmations {

    private final OrderFacts facts;
    private final InstantSource clock;

    public Confirmations(OrderFacts facts, InstantSource clock) {
        this.facts = facts;
        this.clock = clock;
    }

    /** Makes it final: {@code orderId}, {@code paymentId}, {@code shipmentId}. */
    public ActionResult confirm(UUID sagaId, SagaData command) {
        Fields fields = new Fields(command);
        String orderId = fields.key("orderId");
        facts.add(new OrderFact.Confirmation(
                sagaId, orderId, fields.id("paymentId"), fields.id("shipmentId"), clock.instant()));
        return new ActionResult.Done("OrderConfirmed.v1", new SagaData(Map.of("orderId", orderId)));
    }
}
