package com.finedge.once.order;

import com.finedge.once.charge.Money;
import java.util.List;
import java.util.Optional;

/**
 * Says what of an order is refused. It is asked once a step, inside the participant's transaction, so it answers from what
 * is at hand and asks nobody outside; what it throws means that it can't say yet. A payment at a provider is the exception:
 * there it is asked outside a transaction, before each attempt.
 */
public interface OrderPolicy {

    /** Refuses nothing. */
    OrderPolicy ACCEPTING = new OrderPolicy() {};

    /** Why this payment isn't taken, if it isn't. */
    default Optional<Refusal> refusesPayment(String orderId, String customerId, Money amount) {
        return Optional.empty();
    }

    /** Why these items aren't reserved, if they aren't. */
    default Optional<Refusal> refusesStock(String orderId, List<Item> items) {
        return Optional.empty();
    }

    /** Why this isn't shipped, if it isn't. */
    default Optional<Refusal> refusesShipping(String orderId, String customerId) {
        return Optional.empty();
    }
}
