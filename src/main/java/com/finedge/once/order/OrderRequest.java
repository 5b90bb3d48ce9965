package com.finedge.once.order;

import com.finedge.once.claim.Fingerprint;
import com.finedge.once.contract.OrderPlaced;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to place an order, not judged yet.
 *
 * @param orderId the caller's id of it, if there is one
 */
public record OrderRequest(
        @Nullable String orderId, String customerId, String amount, String currency, List<OrderPlaced.Item> items) {

    /**
     * The order of this id.
     *
     * @throws com.finedge.once.contract.InvalidMessageException if there can't be such an order
     */
    OrderPlaced placed(String id) {
        return new OrderPlaced(id, customerId, amount, currency, items);
    }

    /** Of what is ordered, in whatever order the items stand. */
    static Fingerprint fingerprint(OrderPlaced order) {
        List<String> fields = new ArrayList<>(List.of("order.1", order.customerId(), order.amount(), order.currency()));
        order.items().stream()
                .map(item -> item.sku() + "=" + item.quantity())
                .sorted()
                .forEach(fields::add);
        return Fingerprint.of(fields.toArray(String[]::new));
    }
}
