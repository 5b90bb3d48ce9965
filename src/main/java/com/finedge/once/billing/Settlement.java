package com.finedge.once.billing;

import com.finedge.once.contract.ChargeFailed;
import com.finedge.once.contract.ChargeOutcome;
import com.finedge.once.contract.ChargeRecovered;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How a charge has ended, as far as is known. */
public sealed interface Settlement {

    /** When its end was recorded. */
    Instant at();

    /**
     * It was debited.
     *
     * @param outcome whether the customer was notified as well
     * @param debitReference the bank's name for the debit, if it gave one
     */
    record Recovered(
            ChargeRecovered.Outcome outcome, @Nullable String debitReference, Instant at) implements Settlement {}

    /**
     * It wasn't.
     *
     * @param code why, for programs
     * @param reason why, for people
     */
    record Failed(String code, String reason, Instant at) implements Settlement {}

    /** What an outcome says. */
    static Settlement of(ChargeOutcome outcome) {
        return switch (outcome) {
            case ChargeRecovered recovered ->
                new Recovered(recovered.outcome(), recovered.debitReference().orElse(null), recovered.occurredAt());
            case ChargeFailed failed -> new Failed(failed.code(), failed.reason(), failed.occurredAt());
        };
    }

    /** Whether it counts and not the other, in whatever order they came: money that has moved is the last word. */
    default boolean outranks(@Nullable Settlement known) {
        return switch (known) {
            case null -> true;
            case Recovered recovered -> false;
            case Failed failed -> this instanceof Recovered || at().isAfter(failed.at());
        };
    }
}
