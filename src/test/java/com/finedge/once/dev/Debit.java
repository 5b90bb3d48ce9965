package com.finedge.once.dev;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Money that the bank has taken.
 *
 * @param reference the bank's own name for this debit
 * @param idempotencyKey the key under which it was asked for
 * @param debitedAt when the money moved
 * @param chargeId the charge it is for
 * @param accountId the account it was taken from
 * @param chargeType what the charge is for, as sent
 * @param amount digit for digit as sent
 * @param currency ISO 4217 code, as sent
 * @param dueAt as sent
 */
public record Debit(
        String reference,
        String idempotencyKey,
        Instant debitedAt,
        String chargeId,
        String accountId,
        @Nullable String chargeType,
        String amount,
        String currency,
        @Nullable String dueAt) {

    /** What a client asks for. */
    record Order(
            String chargeId,
            String accountId,
            @Nullable String chargeType,
            String amount,
            String currency,
            @Nullable String dueAt) {

        Order {
            Required.text("chargeId", chargeId);
            Required.text("accountId", accountId);
            Required.amount(amount);
            Required.text("currency", currency);
        }

        Debit carriedOut(String reference, String idempotencyKey, Instant at) {
            return new Debit(reference, idempotencyKey, at, chargeId, accountId, chargeType, amount, currency, dueAt);
        }
    }

    Order order() {
        return new Order(chargeId, accountId, chargeType, amount, currency, dueAt);
    }
}
