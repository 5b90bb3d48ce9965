import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.ChargeFailed;
import com.finedge.once.contract.ChargeOutcome;
import com.finedge.once.contract.ChargeRecovered;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Another team's code that makes messages. */
final class Producer {

    private static final Instant THEN = Instant.parse("2026-03-01T10:00:00Z");

    private Producer() {}

    static ChargeDueEvent event(String accountId) {
        return new ChargeDueEvent(
                ChargeDueEvent.CURRENT_VERSION,
                "e-0001",
                "CHG-1001",
                accountId,
                "SMS_ALERT_FEE",
                "19.9",
                "EUR",
                THEN,
                THEN);
    }

    static List<ChargeOutcome> outcomes() {
        return List.of(
                ChargeRecovered.of(
                        "CHG-1001", ChargeRecovered.Outcome.DEBITED, "19.90", "EUR", Optional.of("DBT-77"), THEN),
                ChargeFailed.of("CHG-1002", 1, "INSUFFICIENT_FUNDS", "rejected by the bank", THEN));
    }
}
