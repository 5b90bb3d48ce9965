package com.finedge.once.dev;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A notification that has gone out to a customer.
 *
 * @param sentAt when it went out
 * @param notificationId the sender's name for it; nothing goes out twice under the same one
 * @param chargeId the charge it tells of
 * @param accountId whose account
 * @param amount digit for digit as sent
 * @param currency ISO 4217 code, as sent
 * @param debitReference the bank's name for the debit, as sent
 */
public record Notification(
        Instant sentAt,
        String notificationId,
        String chargeId,
        String accountId,
        String amount,
        String currency,
        @Nullable String debitReference) {

    /** What a client asks for. */
    record Order(
            String notificationId,
            String chargeId,
            String accountId,
            String amount,
            String currency,
            @Nullable String debitReference) {

        Order {
            Required.text("notificationId", notificationId);
            Required.text("chargeId", chargeId);
            Required.text("accountId", accountId);
            Required.amount(amount);
            Required.text("currency", currency);
        }

        Notification sent(Instant at) {
            return new Notification(at, notificationId, chargeId, accountId, amount, currency, debitReference);
        }
    }

    Order order() {
        return new Order(notificationId, chargeId, accountId, amount, currency, debitReference);
    }
}
