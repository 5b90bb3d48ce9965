package com.finedge.once.billing;

import com.finedge.once.claim.Fingerprint;
import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.InvalidMessageException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for when a charge is raised; what its values may be is the contract's business ({@link ChargeDueEvent}).
 *
 * @param chargeId the business key, or none to have one made
 */
public record ChargeRequest(
        @Nullable String chargeId, String accountId, String chargeType, String amount, String currency, Instant dueAt) {

    /**
     * The event that announces the charge.
     *
     * @throws InvalidMessageException where the contract has a rule against it
     */
    ChargeDueEvent event(String eventId, String madeChargeId, Instant now) {
        return new ChargeDueEvent(
                ChargeDueEvent.CURRENT_VERSION,
                eventId,
                Objects.requireNonNullElse(chargeId, madeChargeId),
                accountId,
                chargeType,
                amount,
                currency,
                dueAt,
                now);
    }

    /** What makes it the same request when it is sent again: its fields as the contract writes them, not their spelling. */
    Fingerprint fingerprint(ChargeDueEvent canonical) {
        return Fingerprint.of(
                // No charge has an empty id.
                Objects.requireNonNullElse(chargeId, ""),
                canonical.accountId(),
                canonical.chargeType(),
                canonical.amount(),
                canonical.currency(),
                canonical.dueAt().toString());
    }

    /** Without the account, which must not end up in logs. */
    @Override
    public String toString() {
        return "request for " + (chargeId == null ? "a charge" : "charge " + chargeId) + " (" + chargeType + ", "
                + amount + " " + currency + ")";
    }
}
