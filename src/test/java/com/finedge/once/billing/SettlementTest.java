package com.finedge.once.billing;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.contract.ChargeRecovered.Outcome;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of two ends of a charge counts. */
class SettlementTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private static @Nullable Settlement settlement(String text) {
        return switch (text) {
            case "nothing" -> null;
            case "recovered at 11" -> new Settlement.Recovered(Outcome.DEBITED, "DBT-1", NOON.minusSeconds(3600));
            case "recovered at 12" -> new Settlement.Recovered(Outcome.DEBITED, "DBT-1", NOON);
            case "failed at 11" -> new Settlement.Failed("CODE", "reason", NOON.minusSeconds(3600));
            case "failed at 12" -> new Settlement.Failed("OTHER_CODE", "another reason", NOON);
            default -> throw new IllegalArgumentException(text);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "recovered at 11, nothing, true",
        "failed at 11, nothing, true",
        "recovered at 11, failed at 11, true",
        "recovered at 11, failed at 12, true",
        "recovered at 12, failed at 11, true",
        "failed at 12, recovered at 11, false",
        "failed at 11, recovered at 12, false",
        "recovered at 12, recovered at 11, false",
        "failed at 12, failed at 11, true",
        "failed at 11, failed at 12, false",
        "failed at 12, failed at 12, false"
    })
    void moneyThatHasMovedIsTheLastWordAndOfFailuresTheLater(String settlement, String known, boolean outranks) {
        Settlement one = Objects.requireNonNull(settlement(settlement));

        assertThat(one.outranks(settlement(known))).isEqualTo(outranks);
    }
}
