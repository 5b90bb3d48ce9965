import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.ChargeFailed;
import com.finedge.once.contract.ChargeOutcome;
import com.finedge.once.contract.ChargeRecovered;
import com.finedge.once.contract.InvalidMessageException;
import java.io.IOException;
import java.io.InputStream;

/** Another team's code that reads messages, and the schemas beside them. */
final class Consumer {

    private Consumer() {}

    public static void main(String[] arguments) throws IOException {
        ChargeDueEvent event = Producer.event("ACC-42");
        System.out.println(event.chargeId() + " " + event.accountId() + " " + event.amountValue() + " "
                + event.currency() + " " + event.dueAt());
        Producer.outcomes().forEach(outcome -> System.out.println(told(outcome)));
        try {
            Producer.event("null");
        } catch (InvalidMessageException refusal) {
            System.out.println(refusal.code() + " " + refusal.field().orElseThrow());
        }
        try (InputStream schema = Consumer.class.getResourceAsStream("/contract/charge-due-event.v1.schema.json")) {
            System.out.println((char) schema.read());
        }
    }

    /** Without a default: a kind that is new to this code doesn't compile. */
    private static String told(ChargeOutcome outcome) {
        return switch (outcome) {
            case ChargeRecovered recovered ->
                recovered.chargeId() + " " + recovered.outcome() + " " + recovered.debitReference().orElse("-");
            case ChargeFailed failed -> failed.chargeId() + " " + failed.code() + " " + failed.reason();
        };
    }
}
