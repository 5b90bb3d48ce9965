package com.finedge.once.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.finedge.once.contract.InvalidMessageException.Code;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChargeDueEventTest {

    private static final Instant DUE = Instant.parse("2026-03-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "19.90, EUR, 19.90",
        "19.9, EUR, 19.90",
        "20, EUR, 20.00",
        "0.01, EUR, 0.01",
        "10000, JPY, 10000",
        "1.5, KWD, 1.500",
        "1.2345, CLF, 1.2345",
        "999999999999999999.99, EUR, 999999999999999999.99"
    })
    void anAmountHasTheDecimalsOfItsCurrency(String sent, String currency, String kept) {
        ChargeDueEvent event = of("CHG-1001", sent, currency, DUE);

        assertThat(event.amount()).isEqualTo(kept);
        assertThat(event.amountValue()).isEqualTo(new BigDecimal(kept));
    }

    @Test
    void equalAmountsMakeEqualEvents() {
        assertThat(of("CHG-1001", "19.9", "EUR", DUE)).isEqualTo(of("CHG-1001", "19.90", "EUR", DUE));
    }

    @Test
    void timesAreCutToMicroseconds() {
        Instant fine = Instant.parse("2026-03-01T00:00:00.123456789Z");

        assertThat(of("CHG-1001", "19.90", "EUR", fine).dueAt())
                .isEqualTo(Instant.parse("2026-03-01T00:00:00.123456Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2000-01-01T00:00:00Z", "2099-12-31T23:59:59.999999999Z"})
    void timesWithinTheRangeAreAccepted(Instant time) {
        assertThat(of("CHG-1001", "19.90", "EUR", time).dueAt()).isBeforeOrEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1999-12-31T23:59:59.999999999Z",
                "2100-01-01T00:00:00Z",
                "+58133-01-01T00:00:00Z",
                "-0001-01-01T00:00:00Z"
            })
    void timesOutsideTheRangeAreRefused(Instant time) {
        refused("dueAt", Code.INVALID_VALUE, () -> of("CHG-1001", "19.90", "EUR", time));
        refused("occurredAt", Code.INVALID_VALUE, () -> event(1, "e-1", "CHG-1", "ACC-1", "FEE", DUE, time));
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "CHG-1001", "a.b_c:d-e", "nullable", "none-1", "NaN0", "undefined.", "nils"})
    void keysAreKeptAsSent(String key) {
        ChargeDueEvent event = event(1, key, key, key, "FEE", DUE, DUE);

        assertThat(event.eventId()).isEqualTo(key);
        assertThat(event.chargeId()).isEqualTo(key);
        assertThat(event.accountId()).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "   ",
                " CHG",
                "CHG ",
                "CHG\n",
                "CHG#1",
                "CHG/1",
                "-CHG",
                ".CHG",
                "CHGé",
                "１",
                "CHG\u200B1",
                "CHG\u0000",
                "null",
                "NULL",
                "Null",
                "none",
                "None",
                "nil",
                "undefined",
                "NaN"
            })
    void whatIsNoKeyIsRefusedWhereverOneBelongs(String key) {
        refused("eventId", Code.INVALID_VALUE, () -> event(1, key, "CHG-1", "ACC-1", "FEE", DUE, DUE));
        refused("chargeId", Code.INVALID_VALUE, () -> event(1, "e-1", key, "ACC-1", "FEE", DUE, DUE));
        refused("accountId", Code.INVALID_VALUE, () -> event(1, "e-1", "CHG-1", key, "FEE", DUE, DUE));
    }

    @Test
    void aKeyHasAtMost128Characters() {
        assertThat(of("C".repeat(128), "19.90", "EUR", DUE).chargeId()).hasSize(128);
        refused("chargeId", Code.INVALID_VALUE, () -> of("C".repeat(129), "19.90", "EUR", DUE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fee", "Fee", "1FEE", "_FEE", "FEE-A", "FEE ", "FEE\n", "ÄRGER"})
    void whatIsNoChargeTypeIsRefused(String type) {
        refused("chargeType", Code.INVALID_VALUE, () -> event(1, "e-1", "CHG-1", "ACC-1", type, DUE, DUE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "0.0",
                "0.00",
                "-5.00",
                "-0.00",
                "+5",
                "1e2",
                "1E2",
                " 19.90 ",
                "19.90\n",
                "19,90",
                "1,990.00",
                "1_990",
                "１９.９０",
                "١٩",
                "019.90",
                "00.50",
                ".50",
                "19.",
                "1.9.0",
                "1000000000000000000",
                "19.901",
                "19.900",
                "NaN",
                "Infinity",
                "0x1F",
                "1d",
                "1f"
            })
    void whatIsNoAmountIsRefused(String amount) {
        refused("amount", Code.INVALID_VALUE, () -> of("CHG-1001", amount, "EUR", DUE));
    }

    @ParameterizedTest
    @CsvSource({"10.5, JPY", "10.0, JPY", "1.2345, KWD", "1.234, EUR", "1.23456, CLF"})
    void moreDecimalsThanTheCurrencyHasAreRefused(String amount, String currency) {
        refused("amount", Code.INVALID_VALUE, () -> of("CHG-1001", amount, currency, DUE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "eur", "Eur", "EURO", "XXX", "XAU", "XDR", "XTS", "QQQ", "₺", "978", " EUR", "EUR\n"})
    void whatIsNoCurrencyIsRefused(String currency) {
        refused("currency", Code.INVALID_VALUE, () -> of("CHG-1001", "19.90", currency, DUE));
    }

    @Test
    void everyCurrencyWithDefinedDigitsIsAcceptedAndNoOther() {
        for (Currency currency : Currency.getAvailableCurrencies()) {
            if (currency.getDefaultFractionDigits() < 0) {
                refused("currency", Code.INVALID_VALUE, () -> of("CHG-1", "1", currency.getCurrencyCode(), DUE));
            } else {
                assertThat(of("CHG-1", "1", currency.getCurrencyCode(), DUE)
                                .amountValue()
                                .scale())
                        .isEqualTo(currency.getDefaultFractionDigits());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 2, Integer.MAX_VALUE})
    void anotherVersionIsRefusedBeforeAnythingElse(int version) {
        refused("schemaVersion", Code.UNSUPPORTED_VERSION, () -> event(version, "", "", "", "", DUE, DUE));
    }

    @Test
    @SuppressWarnings("NullAway") // What callers without a null checker do.
    void nullIsAMissingField() {
        refused("eventId", Code.MISSING_FIELD, () -> event(1, null, "CHG-1", "ACC-1", "FEE", DUE, DUE));
        refused("chargeId", Code.MISSING_FIELD, () -> event(1, "e-1", null, "ACC-1", "FEE", DUE, DUE));
        refused("accountId", Code.MISSING_FIELD, () -> event(1, "e-1", "CHG-1", null, "FEE", DUE, DUE));
        refused("chargeType", Code.MISSING_FIELD, () -> event(1, "e-1", "CHG-1", "ACC-1", null, DUE, DUE));
        refused("amount", Code.MISSING_FIELD, () -> of("CHG-1", null, "EUR", DUE));
        refused("currency", Code.MISSING_FIELD, () -> of("CHG-1", "19.90", null, DUE));
        refused("dueAt", Code.MISSING_FIELD, () -> event(1, "e-1", "CHG-1", "ACC-1", "FEE", null, DUE));
        refused("occurredAt", Code.MISSING_FIELD, () -> event(1, "e-1", "CHG-1", "ACC-1", "FEE", DUE, null));
    }

    @Test
    void theAccountIsNotInTheText() {
        String text = event(1, "e-1", "CHG-1", "DE89370400440532013000", "FEE", DUE, DUE)
                .toString();

        assertThat(text).contains("e-1", "CHG-1", "FEE", "19.90", "EUR").doesNotContain("DE89", "3000");
    }

    @Test
    void aRefusalNamesTheFieldAndNotTheValue() {
        InvalidMessageException refusal =
                refused("accountId", Code.INVALID_VALUE, () -> event(1, "e-1", "CHG-1", "DE89 3704", "FEE", DUE, DUE));

        assertThat(refusal).hasMessageStartingWith("accountId: must be ").hasNoCause();
        assertThat(refusal.getMessage()).doesNotContain("DE89", "3704");
    }

    private static InvalidMessageException refused(String field, Code code, Runnable construction) {
        @Nullable
        InvalidMessageException refusal = catchThrowableOfType(InvalidMessageException.class, construction::run);
        assertThat(refusal).as("refusal of " + field).isNotNull();
        assertThat(refusal.code()).isEqualTo(code);
        assertThat(refusal.field()).contains(field);
        return refusal;
    }

    private static ChargeDueEvent of(String chargeId, String amount, String currency, Instant dueAt) {
        return new ChargeDueEvent(1, "e-1", chargeId, "ACC-42", "SMS_ALERT_FEE", amount, currency, dueAt, DUE);
    }

    private static ChargeDueEvent event(
            int version,
            String eventId,
            String chargeId,
            String accountId,
            String type,
            Instant dueAt,
            Instant occurredAt) {
        return new ChargeDueEvent(version, eventId, chargeId, accountId, type, "19.90", "EUR", dueAt, occurredAt);
    }
}
