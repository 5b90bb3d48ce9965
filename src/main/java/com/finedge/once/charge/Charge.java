package com.finedge.once.charge;

import com.finedge.once.claim.Fingerprint;
import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.InvalidMessageException;
import java.time.Instant;
import java.util.Currency;
import java.util.Set;

/**
 * A service charge that is due.
 *
 * @param accountId the account to debit; personal data, so it stays out of {@link #toString()}
 * @param type for instance {@code SMS_ALERT_FEE}
 */
public record Charge(ChargeId id, String accountId, String type, Money amount, Instant dueAt) {

    /** The charge that an event announces. */
    public static Charge of(ChargeDueEvent event) {
        return new Charge(
                new ChargeId(event.chargeId()),
                event.accountId(),
                event.chargeType(),
                new Money(event.amountValue(), Currency.getInstance(event.currency())),
                event.dueAt());
    }

    /**
     * The charge that an event announces, if its type is one of those known here.
     *
     * @throws InvalidMessageException if it isn't
     */
    public static Charge of(ChargeDueEvent event, Set<String> types) {
        if (!types.contains(event.chargeType())) {
            throw new InvalidMessageException(
                    InvalidMessageException.Code.UNKNOWN_CHARGE_TYPE, "chargeType", "is none of the known types");
        }
        return of(event);
    }

    /** What makes it the same charge when it is sent again; the envelope (event id, times of sending) isn't part of it. */
    public Fingerprint fingerprint() {
        return Fingerprint.of(
                accountId, type, amount.digits(), amount.currency().getCurrencyCode(), dueAt.toString());
    }

    @Override
    public String toString() {
        return "charge " + id + " (" + type + ", " + amount + ")";
    }
}
