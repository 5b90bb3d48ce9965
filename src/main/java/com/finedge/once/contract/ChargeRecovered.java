package com.finedge.once.contract;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.Optional;

/**
 * A charge was debited; an instance is always valid.
 *
 * <p>The constructor throws {@link InvalidMessageException} for the first rule that is broken, in the order of the
 * components, {@code currency} before {@code amount}. Senders use {@link #of}.
 *
 * @param schemaVersion always {@link #CURRENT_VERSION}
 * @param eventId names this event, the same in every repeat; form as {@link ChargeDueEvent#eventId}
 * @param eventType always {@link #TYPE}
 * @param chargeId the business key of the charge; form as {@code eventId}
 * @param outcome whether the customer was notified as well
 * @param amount what was debited; form as {@link ChargeDueEvent#amount}
 * @param currency upper-case ISO 4217 code of a currency with defined fraction digits, as {@link Currency} knows it
 * @param debitReference the bank's name for the debit, if it gave one: 1 to 128 ASCII letters, digits and {@code . _ : / -}
 * @param occurredAt when the debit was recorded; at or after 2000-01-01 and before 2100-01-01, UTC, cut to microseconds
 */
public record ChargeRecovered(
        int schemaVersion,
        String eventId,
        String eventType,
        String chargeId,
        Outcome outcome,
        String amount,
        String currency,
        Optional<String> debitReference,
        Instant occurredAt)
        implements ChargeOutcome {

    /** The one value of {@link #eventType}. */
    public static final String TYPE = "ChargeRecovered";

    /** What became of the notification, which can't undo the debit. */
    public enum Outcome {
        /** Debited and notified. */
        DEBITED,
        /** Debited, but the notification wasn't taken. */
        DEBITED_NOTIFICATION_FAILED
    }

    public ChargeRecovered {
        Rules.version(schemaVersion, CURRENT_VERSION);
        Rules.key("eventId", eventId);
        Rules.type(eventType, TYPE);
        Rules.key("chargeId", chargeId);
        Rules.present("outcome", outcome);
        amount = Rules.amount(amount, currency);
        Rules.present("debitReference", debitReference)
                .ifPresent(reference -> Rules.reference("debitReference", reference));
        occurredAt = Rules.time("occurredAt", occurredAt);
    }

    /** The event for this charge, its id the same for every call about the charge. */
    public static ChargeRecovered of(
            String chargeId,
            Outcome outcome,
            String amount,
            String currency,
            Optional<String> debitReference,
            Instant occurredAt) {
        return new ChargeRecovered(
                CURRENT_VERSION,
                Rules.eventId(chargeId, "recovered"),
                TYPE,
                chargeId,
                outcome,
                amount,
                currency,
                debitReference,
                occurredAt);
    }

    /** The amount in major units, its scale the number of decimals that the currency has. */
    public BigDecimal amountValue() {
        return new BigDecimal(amount);
    }
}
