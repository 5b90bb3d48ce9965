package com.finedge.once.charge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.finedge.once.contract.ChargeDueEvent;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import org.junit.jupiter.api.Test;

class ChargeTest {

    private static final Instant DUE = Instant.parse("2026-03-01T00:00:00Z");

    private static Charge charge(String eventId, String account, String type, String amount, String currency) {
        return Charge.of(new ChargeDueEvent(
                1, eventId, "CHG-1001", account, type, amount, currency, DUE, Instant.parse("2026-03-01T10:00:00Z")));
    }

    @Test
    void theEnvelopeIsNoPartOfTheContent() {
        Charge first = charge("e-1", "ACC-42", "SMS_ALERT_FEE", "19.90", "EUR");

        assertThat(charge("e-2", "ACC-42", "SMS_ALERT_FEE", "19.90", "EUR").fingerprint())
                .isEqualTo(first.fingerprint());
        assertThat(charge("e-1", "ACC-42", "SMS_ALERT_FEE", "19.9", "EUR").fingerprint())
                .isEqualTo(first.fingerprint());
    }

    @Test
    void everyBusinessFieldIsPartOfTheContent() {
        Charge charge = charge("e-1", "ACC-42", "SMS_ALERT_FEE", "19.90", "EUR");

        assertThat(charge.fingerprint())
                .isNotEqualTo(
                        charge("e-1", "ACC-43", "SMS_ALERT_FEE", "19.90", "EUR").fingerprint())
                .isNotEqualTo(
                        charge("e-1", "ACC-42", "OVERDRAFT_FEE", "19.90", "EUR").fingerprint())
                .isNotEqualTo(charge("e-1", "ACC-42", "SMS_ALERT_FEE", "1990.00", "EUR")
                        .fingerprint())
                .isNotEqualTo(
                        charge("e-1", "ACC-42", "SMS_ALERT_FEE", "19.90", "USD").fingerprint())
                .isNotEqualTo(new Charge(charge.id(), "ACC-42", "SMS_ALERT_FEE", charge.amount(), DUE.plusSeconds(1))
                        .fingerprint());
    }

    @Test
    void anAmountHasItsCurrencysDecimals() {
        assertThat(charge("e", "ACC-42", "SMS_ALERT_FEE", "19.9", "EUR").amount())
                .hasToString("19.90 EUR");
        assertThat(charge("e", "ACC-42", "SMS_ALERT_FEE", "10000", "JPY").amount())
                .hasToString("10000 JPY");
        assertThat(charge("e", "ACC-42", "SMS_ALERT_FEE", "1.234", "KWD").amount())
                .hasToString("1.234 KWD");
        assertThat(new Money(new BigDecimal("6E+2"), Currency.getInstance("EUR")).digits())
                .isEqualTo("600.00");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Money(new BigDecimal("10.5"), Currency.getInstance("JPY")));
        assertThatIllegalArgumentException().isThrownBy(() -> new Money(BigDecimal.ZERO, Currency.getInstance("EUR")));
    }

    @Test
    void theAccountNumberStaysOutOfLogs() {
        assertThat(charge("e", "ACC-42", "SMS_ALERT_FEE", "19.90", "EUR").toString())
                .doesNotContain("ACC-42");
    }
}
