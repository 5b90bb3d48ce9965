package com.finedge.once.contract;

import com.finedge.once.contract.InvalidMessageException.Code;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Currency;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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

    private static final Pattern KEY =
            Pattern.compile("(?!(?i:null|none|nil|undefined|nan)\\z)[A-Za-z0-9][A-Za-z0-9._:-]{0,127}");
    private static final Pattern CHARGE_TYPE = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");
    private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");
    private static final Pattern AMOUNT = Pattern.compile("(0|[1-9][0-9]{0,17})(\\.[0-9]+)?");
    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

    public ChargeDueEvent {
        if (schemaVersion != CURRENT_VERSION) {
            throw new InvalidMessageException(
                    Code.UNSUPPORTED_VERSION, "schemaVersion", "only version " + CURRENT_VERSION + " is known");
        }
        key("eventId", eventId);
        key("chargeId", chargeId);
        key("accountId", accountId);
        matching(CHARGE_TYPE, "chargeType", chargeType, "upper-case letters, digits and underscores, at most 64");
        int decimals = decimalsOf(currency);
        amount = positive(amount, decimals).toPlainString();
        dueAt = inRange("dueAt", dueAt);
        occurredAt = inRange("occurredAt", occurredAt);
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

    private static void key(String field, String value) {
        matching(
                KEY,
                field,
                value,
                "1 to 128 letters, digits and . _ : - that begin with a letter or digit and aren't a word for no value");
    }

    private static void matching(Pattern pattern, String field, String value, String rule) {
        if (!pattern.matcher(present(field, value)).matches()) {
            throw invalid(field, "must be " + rule);
        }
    }

    private static int decimalsOf(String code) {
        matching(CURRENCY, "currency", code, "an upper-case ISO 4217 code");
        int decimals;
        try {
            decimals = Currency.getInstance(code).getDefaultFractionDigits();
        } catch (IllegalArgumentException unknown) {
            throw invalid("currency", "must be a known ISO 4217 code");
        }
        if (decimals < 0) {
            throw invalid("currency", "must be a currency that has fraction digits");
        }
        return decimals;
    }

    private static BigDecimal positive(String amount, int decimals) {
        matching(AMOUNT, "amount", amount, "a plain decimal of at most 18 digits before the point");
        int point = amount.indexOf('.');
        // Counted before it becomes a number: converting a text of endless decimals would take seconds.
        if (point >= 0 && amount.length() - point - 1 > decimals) {
            throw invalid("amount", "must have no more decimals than its currency");
        }
        BigDecimal value = new BigDecimal(amount).setScale(decimals);
        if (value.signum() == 0) {
            throw invalid("amount", "must be positive");
        }
        return value;
    }

    private static Instant inRange(String field, Instant value) {
        if (present(field, value).isBefore(EARLIEST) || !value.isBefore(END)) {
            throw invalid(field, "must be at or after 2000-01-01 and before 2100-01-01");
        }
        // PostgreSQL keeps microseconds; a finer time would come back changed.
        return value.truncatedTo(ChronoUnit.MICROS);
    }

    private static <T> T present(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidMessageException(Code.MISSING_FIELD, field, "is required");
        }
        return value;
    }

    private static InvalidMessageException invalid(String field, String rule) {
        return new InvalidMessageException(Code.INVALID_VALUE, field, rule);
    }
}
