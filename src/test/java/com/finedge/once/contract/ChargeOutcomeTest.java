package com.finedge.once.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.finedge.once.contract.ChargeRecovered.Outcome;
import com.finedge.once.contract.InvalidMessageException.Code;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChargeOutcomeTest {

    private static final Instant THEN = Instant.parse("2026-03-01T10:00:05Z");
    private static final Optional<String> REFERENCE = Optional.of("DBT-77");

    /** The values are part of the contract: a receiver has remembered them. */
    @Test
    void theEventIdIsThatOfTheChargeAndTheKindWhateverElseDiffersInARepeat() {
        assertThat(recovered("CHG-1001", "19.90", THEN).eventId()).isEqualTo("7bceea20-4667-3304-867d-c0e74e87fe3f");
        assertThat(ChargeRecovered.of(
                                "CHG-1001",
                                Outcome.DEBITED_NOTIFICATION_FAILED,
                                "20",
                                "EUR",
                                Optional.empty(),
                                THEN.plusSeconds(9))
                        .eventId())
                .isEqualTo("7bceea20-4667-3304-867d-c0e74e87fe3f");
        assertThat(failed("INSUFFICIENT_FUNDS", "rejected").eventId())
                .isEqualTo("35cbfe34-c91b-361d-a5ae-257ad17b587e");
        assertThat(ChargeFailed.of("CHG-1001", 2, "CODE", "after it was reopened", THEN)
                        .eventId())
                .isEqualTo("4a6222c7-2767-3e3b-807f-f5e41dc343a6");
        assertThat(failed("RETRIES_EXHAUSTED", "away").eventId()).isEqualTo("35cbfe34-c91b-361d-a5ae-257ad17b587e");
    }

    @Test
    void noOtherChargeHasTheSameEventId() {
        assertThat(recovered("CHG-1002", "19.90", THEN).eventId())
                .isNotEqualTo(recovered("CHG-1001", "19.90", THEN).eventId());
        assertThat(recovered("C".repeat(128), "19.90", THEN).eventId()).hasSize(36);
    }

    @Test
    void amountAndTimeAreKeptAsInEveryMessage() {
        ChargeRecovered recovered = recovered("CHG-1001", "19.9", Instant.parse("2026-03-01T10:00:05.123456789Z"));

        assertThat(recovered.amount()).isEqualTo("19.90");
        assertThat(recovered.amountValue()).isEqualByComparingTo("19.90").hasScaleOf(2);
        assertThat(recovered.occurredAt()).isEqualTo("2026-03-01T10:00:05.123456Z");
        refused("amount", Code.INVALID_VALUE, () -> recovered("CHG-1001", "19.901", THEN));
        refused("occurredAt", Code.INVALID_VALUE, () -> recovered("CHG-1001", "19.90", Instant.EPOCH));
        refused("occurredAt", Code.INVALID_VALUE, () -> ChargeFailed.of("CHG-1", 1, "CODE", "why", Instant.EPOCH));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " DBT", "DBT\n", "DBT#77", "DBTé", "DBT 77"})
    void whatIsNoReferenceIsRefused(String reference) {
        refused(
                "debitReference",
                Code.INVALID_VALUE,
                () -> ChargeRecovered.of("CHG-1", Outcome.DEBITED, "1", "EUR", Optional.of(reference), THEN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "code", "4XX", "_CODE", "CODE-1", "CODE ", "CODE\n"})
    void whatIsNoCodeIsRefused(String code) {
        refused("code", Code.INVALID_VALUE, () -> failed(code, "why"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " why", "why ", "why\n", "why\nnot", "why\tnot", "refusé", "why\u0000"})
    void whatIsNoReasonIsRefused(String reason) {
        refused("reason", Code.INVALID_VALUE, () -> failed("CODE", reason));
    }

    @Test
    void textsAreBounded() {
        assertThat(failed("C".repeat(64), "r".repeat(256)).reason()).hasSize(256);
        refused("code", Code.INVALID_VALUE, () -> failed("C".repeat(65), "why"));
        refused("reason", Code.INVALID_VALUE, () -> failed("CODE", "r".repeat(257)));
        refused("chargeId", Code.INVALID_VALUE, () -> recovered("C".repeat(129), "1", THEN));
    }

    @Test
    void neitherKindTakesTheOthersNameNorAnotherVersion() {
        refused(
                "eventType",
                Code.INVALID_VALUE,
                () -> new ChargeRecovered(
                        1, "e-1", ChargeFailed.TYPE, "CHG-1", Outcome.DEBITED, "1", "EUR", REFERENCE, THEN));
        refused(
                "eventType",
                Code.INVALID_VALUE,
                () -> new ChargeFailed(1, "e-1", ChargeRecovered.TYPE, "CHG-1", "CODE", "why", THEN));
        refused(
                "schemaVersion",
                Code.UNSUPPORTED_VERSION,
                () -> new ChargeRecovered(2, "", "", "", Outcome.DEBITED, "", "", REFERENCE, THEN));
        refused("schemaVersion", Code.UNSUPPORTED_VERSION, () -> new ChargeFailed(0, "", "", "", "", "", THEN));
        refused(
                "eventId",
                Code.INVALID_VALUE,
                () -> new ChargeFailed(1, "null", ChargeFailed.TYPE, "CHG-1", "CODE", "why", THEN));
    }

    @Test
    @SuppressWarnings({"NullAway", "NullOptional"}) // What callers without a null checker do.
    void nullIsAMissingField() {
        refused("chargeId", Code.MISSING_FIELD, () -> ChargeFailed.of(null, 1, "CODE", "why", THEN));
        refused("code", Code.MISSING_FIELD, () -> failed(null, "why"));
        refused("reason", Code.MISSING_FIELD, () -> failed("CODE", null));
        refused("occurredAt", Code.MISSING_FIELD, () -> ChargeFailed.of("CHG-1", 1, "CODE", "why", null));
        refused(
                "outcome",
                Code.MISSING_FIELD,
                () -> ChargeRecovered.of("CHG-1", null, "1", "EUR", Optional.empty(), THEN));
        refused(
                "debitReference",
                Code.MISSING_FIELD,
                () -> ChargeRecovered.of("CHG-1", Outcome.DEBITED, "1", "EUR", null, THEN));
        refused("eventType", Code.MISSING_FIELD, () -> new ChargeFailed(1, "e-1", null, "CHG-1", "CODE", "why", THEN));
    }

    private static ChargeRecovered recovered(String chargeId, String amount, Instant occurredAt) {
        return ChargeRecovered.of(chargeId, Outcome.DEBITED, amount, "EUR", REFERENCE, occurredAt);
    }

    private static ChargeFailed failed(String code, String reason) {
        return ChargeFailed.of("CHG-1001", 1, code, reason, THEN);
    }

    private static void refused(String field, Code code, Runnable construction) {
        @Nullable
        InvalidMessageException refusal = catchThrowableOfType(InvalidMessageException.class, construction::run);
        assertThat(refusal).as("refusal of " + field).isNotNull();
        assertThat(refusal.code()).isEqualTo(code);
        assertThat(refusal.field()).contains(field);
    }
}
