package com.finedge.once.saga;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.finedge.once.adapter.yaml.YamlSagaDefinitions;
import com.finedge.once.saga.StartDecision.Started;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** The order saga that ships, and its sagas. */
public final class Orders {

    /** As it is in the jar. */
    public static final SagaDefinition DEFINITION = definition();

    static final SagaData PLACED = new SagaData(Map.of(
            "orderId",
            "O-1",
            "customerId",
            "C-1",
            "amount",
            "19.90",
            "currency",
            "EUR",
            "items",
            List.of(Map.of("sku", "S-1", "quantity", 2))));

    /** What the participants say of their successes. */
    static final SagaData ANSWER =
            new SagaData(Map.of("paymentId", "P-1", "reservationId", "R-1", "shipmentId", "S-1"));

    private Orders() {}

    static Transitions transitions(long seed) {
        return new Transitions(new PlainExpressions(), new Random(seed));
    }

    static Decision started(SagaDefinition definition) {
        if (transitions(0).start(definition, PLACED, null) instanceof Started(Decision decision)) {
            return decision;
        }
        throw new AssertionError("not started");
    }

    private static SagaDefinition definition() {
        String file = "order-fulfilment.v1.yaml";
        try (InputStream yaml = Orders.class.getResourceAsStream("/sagas/" + file)) {
            return YamlSagaDefinitions.read(
                    file, new String(Objects.requireNonNull(yaml).readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
