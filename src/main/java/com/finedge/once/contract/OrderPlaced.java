package com.finedge.once.contract;

import com.finedge.once.contract.InvalidMessageException.Code;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An order as it was placed, the data of a {@link SagaNotice} of this {@link #TYPE}; an instance is always valid.
 *
 * <p>The constructor throws {@link InvalidMessageException} for the first rule that is broken, in the order of the
 * components.
 *
 * @param orderId the business key; form as {@link ChargeDueEvent#eventId}
 * @param customerId who pays; form as {@code orderId}
 * @param amount what it costs in all; form as {@link ChargeDueEvent#amount}
 * @param currency form as {@link ChargeDueEvent#currency}
 * @param items what is ordered: 1 to 100, each article once
 */
public record OrderPlaced(String orderId, String customerId, String amount, String currency, List<Item> items) {

    /** The type of the message. */
    public static final String TYPE = "OrderPlaced.v1";

    private static final int MOST_ITEMS = 100;
    private static final long MOST_OF_ONE = 1_000_000;

    /**
     * So many of one article.
     *
     * @param sku names the article; form as {@link ChargeDueEvent#eventId}
     * @param quantity 1 to 1000000
     */
    public record Item(String sku, long quantity) {

        public Item {
            Rules.key("sku", sku);
            if (quantity < 1 || quantity > MOST_OF_ONE) {
                throw new InvalidMessageException(Code.INVALID_VALUE, "quantity", "must be from 1 to " + MOST_OF_ONE);
            }
        }
    }

    public OrderPlaced {
        Rules.key("orderId", orderId);
        Rules.key("customerId", customerId);
        amount = Rules.amount(amount, currency);
        items = List.copyOf(Rules.present("items", items));
        Set<String> skus = new HashSet<>();
        if (items.isEmpty() || items.size() > MOST_ITEMS) {
            throw new InvalidMessageException(Code.INVALID_VALUE, "items", "must be 1 to " + MOST_ITEMS);
        }
        if (!items.stream().allMatch(item -> skus.add(item.sku()))) {
            throw new InvalidMessageException(Code.INVALID_VALUE, "items", "must name each sku once");
        }
    }

    /**
     * The order that a message of this {@link #TYPE} is about; values of other names are skipped.
     *
     * @throws InvalidMessageException where the data isn't that of a valid order
     */
    public static OrderPlaced of(Map<String, Object> data) {
        if (!(value(data, "items") instanceof List<?> items)) {
            throw new InvalidMessageException(Code.WRONG_TYPE, "items", "must be a list");
        }
        return new OrderPlaced(
                text(data, "orderId"),
                text(data, "customerId"),
                text(data, "amount"),
                text(data, "currency"),
                items.stream().map(OrderPlaced::item).toList());
    }

    private static Item item(Object item) {
        if (!(item instanceof Map<?, ?> values)) {
            throw new InvalidMessageException(Code.WRONG_TYPE, "items", "must hold objects");
        }
        if (!(value(values, "quantity") instanceof Long quantity)) {
            throw new InvalidMessageException(Code.WRONG_TYPE, "quantity", "must be a whole number");
        }
        return new Item(text(values, "sku"), quantity);
    }

    private static String text(Map<?, ?> values, String field) {
        if (value(values, field) instanceof String text) {
            return text;
        }
        throw new InvalidMessageException(Code.WRONG_TYPE, field, "must be a text");
    }

    private static Object value(Map<?, ?> values, String field) {
        Object value = values.get(field);
        if (value == null) {
            throw new InvalidMessageException(Code.MISSING_FIELD, field, "is required");
        }
        return value;
    }

    /** As the data of a message. */
    public Map<String, Object> data() {
        return Map.of(
                "orderId",
                orderId,
                "customerId",
                customerId,
                "amount",
                amount,
                "currency",
                currency,
                "items",
                items.stream()
                        .map(item -> Map.<String, Object>of("sku", item.sku(), "quantity", item.quantity()))
                        .toList());
    }
}
