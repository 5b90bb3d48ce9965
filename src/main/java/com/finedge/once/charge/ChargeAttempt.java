package com.finedge.once.charge;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt to recover a charge ended.
 *
 * @param code what was recorded: {@code DEBITED}, {@code DEBITED_NOTIFICATION_FAILED}, or why it failed
 * @param reason the same for people
 * @param backOff how long to wait before the next attempt, if there is to be one
 */
public record ChargeAttempt(
        ChargeStatus status,
        String code,
        String reason,
        @Nullable Duration backOff) {

    static ChargeAttempt recovered(String code) {
        return new ChargeAttempt(ChargeStatus.RECOVERED, code, "debited", null);
    }

    static ChargeAttempt failed(String code, String reason) {
        return new ChargeAttempt(ChargeStatus.FAILED, code, reason, null);
    }

    static ChargeAttempt postponed(String reason, Duration backOff) {
        return new ChargeAttempt(ChargeStatus.POSTPONED, "POSTPONED", reason, backOff);
    }

    static ChargeAttempt leaseLost() {
        return new ChargeAttempt(ChargeStatus.LEASE_LOST, "LEASE_LOST", "another owner took over", null);
    }
}
