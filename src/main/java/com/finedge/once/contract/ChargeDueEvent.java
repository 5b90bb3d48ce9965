package com.finedge.once.contract;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;

/**
 * A charge has become due and is to be recovered from an account; an instance is always valid.
 *
 * <p>The constructor throws {@link InvalidMessageException} for the first rule that is broken, in the order of the
 * components, {@code currency} before {@code amount}.
 *
 * @param schemaVersion always {@link #CURRENT_VERSION}
 * @param eventId names this event: 1 to 128 characters, ASCII letters, digits and {@code . _ : -}, the first a letter
 *     or digit; not a word that programs write for an absent value ({@code null}, {@code none}, {@code nil},
 *     {@code undefined}, {@code nan} in any case), since all broken messages would share it
 * @param chargeId the business key of the charge, the same in every event about it; form as {@code eventId}
 * @param accountId the account to debit; form as {@code eventId}
 * @param chargeType 1 to 64 characters, upper-case ASCII letters, digits and underscores, the first a letter; which types
 *     are known is not the contract's business
 * @param amount positive decimal in major units: at most 18 ASCII digits without leading zeros, then at most as many
 *     decimals as the currency has; fewer are filled up, so {@code 19.9} EUR is kept as {@code 19.90}
 * @param currency upper-case ISO 4217 code of a currency with defined fraction digits, as {@link Currency} knows it
 * @param dueAt when the charge became due; at or after 2000-01-01 and before 2100-01-01, UTC, cut to microseconds
 * @param occurredAt when the event happened; range and precision as {@code dueAt}
 */
public record ChargeDueEvent(
        int schemaVersion,
        String eventId,
        String chargeId,
        String accountId,
        String chargeType,
        String amount,
        String currency,
        Instant dueAt,
        Instant occurredAt) {

    /** The one version of the message that this class describes. */
    public static final int CURRENT_VERSION = 1;

    public ChargeDueEvent {
        Rules.version(schemaVersion, CURRENT_VERSION);
        Rules.key("eventId", eventId);
        Rules.key("chargeId", chargeId);
        Rules.key("accountId", accountId);
        Rules.word("chargeType", chargeType);
        amount = Rules.amount(amount, currency);
        dueAt = Rules.time("dueAt", dueAt);
        occurredAt = Rules.time("occurredAt", occurredAt);
    }

    /** The amount in major units, its scale the number of decimals that the currency has. */
    public BigDecimal amountValue() {
        return new BigDecimal(amount);
    }

    /** All components but the account, which must not end up in logs. */
    @Override
    public String toString() {
        return "ChargeDueEvent[schemaVersion=" + schemaVersion + ", eventId=" + eventId + ", chargeId=" + chargeId
                + ", accountId=***, chargeType=" + chargeType + ", amount=" + amount + ", currency=" + currency
                + ", dueAt=" + dueAt + ", occurredAt=" + occurredAt + "]";
    }
}
