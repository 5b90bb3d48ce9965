package com.finedge.once.billing;

import com.finedge.once.contract.ChargeDueEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A charge that was raised here; its values are those of its {@link ChargeDueEvent}.
 *
 * @param amount with exactly the digits that went out
 * @param settlement how it has ended, or null where nothing is known yet
 */
public record BilledCharge(
        String chargeId,
        String accountId,
        String chargeType,
        String amount,
        String currency,
        Instant dueAt,
        Instant raisedAt,
        @Nullable Settlement settlement) {

    /** The charge that an event announces. */
    static BilledCharge of(ChargeDueEvent event) {
        return new BilledCharge(
                event.chargeId(),
                event.accountId(),
                event.chargeType(),
                event.amount(),
                event.currency(),
                event.dueAt(),
                event.occurredAt(),
                null);
    }

    /** What billing knows of it. */
    public ChargeState state() {
        return switch (settlement) {
            case null -> ChargeState.RAISED;
            case Settlement.Recovered recovered -> ChargeState.RECOVERED;
            case Settlement.Failed failed -> ChargeState.FAILED;
        };
    }

    /** As it was when it had just been raised. */
    BilledCharge asRaised() {
        return new BilledCharge(chargeId, accountId, chargeType, amount, currency, dueAt, raisedAt, null);
    }

    /** Whether the same is charged, whenever it was raised and whatever has become of it. */
    boolean hasContentOf(BilledCharge other) {
        return chargeId.equals(other.chargeId)
                && accountId.equals(other.accountId)
                && chargeType.equals(other.chargeType)
                && amount.equals(other.amount)
                && currency.equals(other.currency)
                && dueAt.equals(other.dueAt);
    }

    /** Without the account, which must not end up in logs. */
    @Override
    public String toString() {
        return "charge " + chargeId + " (" + chargeType + ", " + amount + " " + currency + ", " + state() + ")";
    }
}
