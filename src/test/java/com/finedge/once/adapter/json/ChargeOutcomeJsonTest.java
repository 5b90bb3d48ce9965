package com.finedge.once.adapter.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.finedge.once.contract.ChargeFailed;
import com.finedge.once.contract.ChargeOutcome;
import com.finedge.once.contract.ChargeRecovered;
import com.finedge.once.contract.ChargeRecovered.Outcome;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChargeOutcomeJsonTest {

    private static final String RECOVERED = "{\"schemaVersion\":1,\"eventId\":\"7bceea20-4667-3304-867d-c0e74e87fe3f\","
            + "\"eventType\":\"ChargeRecovered\",\"chargeId\":\"CHG-1001\",\"outcome\":\"DEBITED\",\"amount\":\"19.90\","
            + "\"currency\":\"EUR\",\"debitReference\":\"DBT-77\",\"occurredAt\":\"2026-03-01T10:00:05Z\"}";
    private static final String FAILED = "{\"schemaVersion\":1,\"eventId\":\"35cbfe34-c91b-361d-a5ae-257ad17b587e\","
            + "\"eventType\":\"ChargeFailed\",\"chargeId\":\"CHG-1001\",\"code\":\"INSUFFICIENT_FUNDS\","
            + "\"reason\":\"rejected by the bank\",\"occurredAt\":\"2026-03-01T10:00:05Z\"}";
    private static final Instant THEN = Instant.parse("2026-03-01T10:00:05Z");

    private final ChargeOutcomeJson json = new ChargeOutcomeJson();

    @Test
    void eachKindHasOneCanonicalText() {
        ChargeOutcome recovered =
                ChargeRecovered.of("CHG-1001", Outcome.DEBITED, "19.9", "EUR", Optional.of("DBT-77"), THEN);
        ChargeOutcome failed = ChargeFailed.of("CHG-1001", 1, "INSUFFICIENT_FUNDS", "rejected by the bank", THEN);

        assertThat(json.write(recovered)).isEqualTo(RECOVERED);
        assertThat(json.write(failed)).isEqualTo(FAILED);
        assertThat(json.read(RECOVERED)).isEqualTo(recovered);
        assertThat(json.read(FAILED)).isEqualTo(failed);
    }

    @Test
    void aReferenceThatTheBankDidNotGiveIsNotWritten() {
        ChargeOutcome recovered =
                ChargeRecovered.of("CHG-1001", Outcome.DEBITED, "19.90", "EUR", Optional.empty(), THEN);

        assertThat(json.write(recovered))
                .isEqualTo(RECOVERED.replace("\"debitReference\":\"DBT-77\",", ""))
                .satisfies(text -> assertThat(json.read(text)).isEqualTo(recovered));
    }

    /** What stands under the field's name in the other kind is an unknown field here, whatever it is. */
    @Test
    void fieldsOfTheOtherKindAreSkipped() {
        assertThat(json.read(FAILED.replace("\"code\"", "\"amount\":19.90,\"outcome\":{},\"code\"")))
                .isEqualTo(json.read(FAILED));
    }

    @ParameterizedTest
    @CsvSource({
        "UNSUPPORTED_VERSION, schemaVersion, '{\"schemaVersion\":2,\"eventType\":\"ChargeReversed\"}'",
        "MISSING_FIELD, eventType, '{\"schemaVersion\":1,\"eventId\":{}}'",
        "WRONG_TYPE, eventType, '{\"schemaVersion\":1,\"eventType\":7}'",
        "INVALID_VALUE, eventType, '{\"schemaVersion\":1,\"eventType\":\"ChargeReversed\"}'",
        "MISSING_FIELD, eventId, '{\"schemaVersion\":1,\"eventType\":\"ChargeFailed\"}'",
    })
    void theVersionIsJudgedFirstAndThenTheKind(Code code, String field, String body) {
        assertThat(refused(body)).satisfies(refusal -> {
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(refusal.field()).contains(field);
        });
    }

    @Test
    void aRefusalQuotesNothingOfTheMessage() {
        for (String body : List.of(
                RECOVERED.replace("DEBITED", "SECRET"),
                RECOVERED.replace("ChargeRecovered", "SECRET"),
                RECOVERED.replace("DBT-77", "SECRET#"),
                FAILED.replace("rejected", "SECRETé"),
                FAILED.replace("INSUFFICIENT_FUNDS", "SECRET-"))) {
            assertThat(refused(body)).hasNoCause().hasMessageNotContaining("SECRET");
        }
    }

    @Test
    void everyOutcomeThatIsWrittenIsReadBackEqual() {
        Random random = new Random(20260301);
        for (int i = 0; i < 2_000; i++) {
            ChargeOutcome outcome = random.nextBoolean() ? randomRecovered(random) : randomFailed(random);

            assertThat(json.read(json.write(outcome))).isEqualTo(outcome);
        }
    }

    private InvalidMessageException refused(String body) {
        @Nullable
        InvalidMessageException refusal = catchThrowableOfType(InvalidMessageException.class, () -> json.read(body));
        assertThat(refusal).as("refusal").isNotNull();
        return refusal;
    }

    private static ChargeRecovered randomRecovered(Random random) {
        return ChargeRecovered.of(
                "C" + text(random, '-', 'z', random.nextInt(128)).replaceAll("[^A-Za-z0-9._:-]", "_"),
                random.nextBoolean() ? Outcome.DEBITED : Outcome.DEBITED_NOTIFICATION_FAILED,
                Long.toString(random.nextLong(1, 1L << random.nextInt(1, 60))),
                "EUR",
                random.nextBoolean() ? Optional.empty() : Optional.of("R" + random.nextInt(1_000_000)),
                instant(random));
    }

    private static ChargeFailed randomFailed(Random random) {
        return ChargeFailed.of(
                "CHG-" + random.nextInt(1_000_000),
                1,
                "C" + text(random, 'A', 'Z', random.nextInt(64)),
                "r" + text(random, '!', '~', random.nextInt(256)),
                instant(random));
    }

    private static Instant instant(Random random) {
        return Instant.ofEpochSecond(random.nextLong(946_684_800L, 4_102_444_800L), random.nextInt(1_000_000_000));
    }

    private static String text(Random random, char first, char last, int length) {
        return random.ints(length, first, last + 1)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }
}
