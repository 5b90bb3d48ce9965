package com.finedge.once.contract;

import java.time.Instant;

/**
 * A charge won't be debited, unless somebody reopens it; an instance is always valid.
 *
 * <p>The constructor throws {@link InvalidMessageException} for the first rule that is broken, in the order of the
 * components. Senders use {@link #of}.
 *
 * @param schemaVersion always {@link #CURRENT_VERSION}
 * @param eventId names this event, the same in every repeat; form as {@link ChargeDueEvent#eventId}
 * @param eventType always {@link #TYPE}
 * @param chargeId the business key of the charge; form as {@code eventId}
 * @param code why, for programs: the bank's own code, such as {@code INSUFFICIENT_FUNDS}, or {@code RETRIES_EXHAUSTED} or
 *     {@code OUTCOME_UNKNOWN}, after which the money may have moved; 1 to 64 upper-case ASCII letters, digits and
 *     underscores, the first a letter
 * @param reason why, for people: 1 to 256 printable ASCII characters, no blanks around them, no personal data
 * @param occurredAt when the failure was recorded; at or after 2000-01-01 and before 2100-01-01, UTC, cut to microseconds
 */
public record ChargeFailed(
        int schemaVersion,
        String eventId,
        String eventType,
        String chargeId,
        String code,
        String reason,
        Instant occurredAt)
        implements ChargeOutcome {

    /** The one value of {@link #eventType}. */
    public static final String TYPE = "ChargeFailed";

    public ChargeFailed {
        Rules.version(schemaVersion, CURRENT_VERSION);
        Rules.key("eventId", eventId);
        Rules.type(eventType, TYPE);
        Rules.key("chargeId", chargeId);
        Rules.word("code", code);
        Rules.text("reason", reason);
        occurredAt = Rules.time("occurredAt", occurredAt);
    }

    /**
     * The event for this charge, its id the same for every call about the same attempt: a charge that fails once more after
     * it was reopened has another.
     *
     * @param attempt which attempt failed, counted from the first one on
     */
    public static ChargeFailed of(String chargeId, long attempt, String code, String reason, Instant occurredAt) {
        return new ChargeFailed(
                CURRENT_VERSION,
                Rules.eventId(chargeId, "failed:" + attempt),
                TYPE,
                chargeId,
                code,
                reason,
                occurredAt);
    }
}
