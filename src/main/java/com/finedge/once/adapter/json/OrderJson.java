package com.finedge.once.adapter.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import com.finedge.once.contract.OrderPlaced;
import com.finedge.once.order.OrderRequest;
import com.finedge.once.saga.Saga;
import com.finedge.once.saga.SagaStore.Dossier;
import com.finedge.once.saga.SagaStore.Happened;
import com.finedge.once.saga.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@link OrderRequest}s from JSON text, strictly, and writes what has become of an order; safe for many threads. */
public final class OrderJson {

    private static final List<String> FIELDS = List.of("orderId", "customerId", "amount", "currency", "items");
    private static final List<String> ITEM_FIELDS = List.of("sku", "quantity");

    /**
     * Reads one request.
     *
     * @throws InvalidMessageException where the body isn't exactly one JSON object with all the fields of a request but
     *     perhaps the order id, and no others; nothing else is thrown for any text
     */
    public OrderRequest readRequest(String body) {
        SagaFields json = SagaFields.of(body);
        requireNoOthers(json.json(), FIELDS);
        JsonNode items = json.json().path("items");
        if (items.isMissingNode() || items.isNull()) {
            throw new InvalidMessageException(Code.MISSING_FIELD, "items", "is required");
        }
        if (!items.isArray()) {
            throw new InvalidMessageException(Code.WRONG_TYPE, "items", "must be a JSON array");
        }
        List<OrderPlaced.Item> all = new ArrayList<>();
        items.forEach(item -> all.add(item(item)));
        return new OrderRequest(
                json.optionalText("orderId").orElse(null),
                json.text("customerId"),
                json.text("amount"),
                json.text("currency"),
                all);
    }

    private static OrderPlaced.Item item(JsonNode item) {
        if (!item.isObject()) {
            throw new InvalidMessageException(Code.WRONG_TYPE, "items", "must hold JSON objects");
        }
        requireNoOthers(item, ITEM_FIELDS);
        SagaFields fields = new SagaFields(item);
        return new OrderPlaced.Item(fields.text("sku"), fields.number("quantity"));
    }

    /** A mistyped field would be an optional one left out. */
    private static void requireNoOthers(JsonNode json, List<String> fields) {
        json.fieldNames().forEachRemaining(name -> {
            if (!fields.contains(name)) {
                throw new InvalidMessageException(
                        Code.INVALID_VALUE, "no other fields are known than " + String.join(", ", fields));
            }
        });
    }

    /** Writes an order by what its saga says of it; before that has started, that it is placed. */
    public String write(String orderId, Optional<Dossier> saga) {
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("orderId", orderId);
        order.put("state", saga.map(dossier -> dossier.saga().state()).orElse("PLACED"));
        saga.ifPresent(dossier -> {
            Saga is = dossier.saga();
            order.put("sagaId", is.id().toString());
            order.put("startedAt", dossier.startedAt().toString());
            if (is.outcome() != null) {
                order.put("outcome", is.outcome().name());
            }
            if (is.currentStep() != null) {
                order.put("currentStep", is.currentStep());
            }
            order.put("cancelRequested", is.cancelRequested());
            order.put("steps", is.steps().stream().map(OrderJson::step).toList());
            order.put(
                    "history",
                    dossier.history().stream().map(OrderJson::happened).toList());
        });
        return SagaFields.line(order);
    }

    private static Map<String, Object> step(Step step) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("step", step.name());
        fields.put("action", step.forward().name());
        fields.put("attempts", step.forwardAttempts());
        fields.put("undo", step.undo().name());
        fields.put("undoAttempts", step.undoAttempts());
        return fields;
    }

    /** Without the note: it names operators, and their reasons. */
    private static Map<String, Object> happened(Happened happened) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", happened.version());
        fields.put("at", happened.at().toString());
        fields.put("what", happened.disposition().name());
        fields.put("state", happened.state());
        return fields;
    }
}
