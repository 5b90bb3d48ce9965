package com.finedge.once.dev;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A payment that the provider has taken.
 *
 * @param reference the provider's own name for it
 * @param idempotencyKey the key under which it was asked for
 * @param takenAt when the money moved
 * @param orderId the order it is for
 * @param customerId whom it was taken from
 * @param amount digit for digit as sent
 * @param currency ISO 4217 code, as sent
 * @param refund the provider's own name for its refund, if all of it was given back
 * @param refundKey the key under which that was asked for
 */
public record Payment(
        String reference,
        String idempotencyKey,
        Instant takenAt,
        String orderId,
        String customerId,
        String amount,
        String currency,
        @Nullable String refund,
        @Nullable String refundKey) {

    /** What a client asks for. */
    record Order(String orderId, String customerId, String amount, String currency) {

        Order {
            Required.text("orderId", orderId);
            Required.text("customerId", customerId);
            Required.amount(amount);
            Required.text("currency", currency);
        }

        Payment taken(String reference, String idempotencyKey, Instant at) {
            return new Payment(reference, idempotencyKey, at, orderId, customerId, amount, currency, null, null);
        }
    }

    Order order() {
        return new Order(orderId, customerId, amount, currency);
    }

    Payment refunded(String reference, String key) {
        return new Payment(
                this.reference, idempotencyKey, takenAt, orderId, customerId, amount, currency, reference, key);
    }
}
