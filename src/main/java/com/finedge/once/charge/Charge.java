package com.finedge.once.charge;

import com.finedge.once.claim.Fingerprint;
import com.finedge.once.contract.ChargeDueEvent;
import java.time.Instant;
import java.util.Currency;

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
