package com.finedge.once.config;

import com.finedge.once.retry.BackOff;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How charges are recovered.
 *
 * @param queue Name of the queue that brings charges; a standard queue.
 * @param deadLetterQueue Name of the queue that takes what can't be recovered.
 * @param outcomesQueue Name of the queue to which ChargeRecovered and ChargeFailed events go, and from which billing takes them; none if empty, which saves a tenth of an SQS request a charge and about 60 ms of it.
 * @param types Charge types that are known; a message of another type goes to the dead-letter queue.
 * @param maxInFlight How many messages one process works on at once, from 10 (one poll's worth) to 100000. Also the number of connections to DynamoDB, to the bank and to the notification service.
 * @param pollers How many threads poll the queue, from 1 to 64.
 * @param pollWait How long a poll waits for a message (long polling), whole seconds, at most 20s. A stop waits for the poll that runs.
 * @param visibility How long a received message stays hidden, whole seconds. Make it longer than the lease, or a message may come back while its own claim still runs, and is put off once more.
 * @param maxAttempts How often a charge is tried, at least 1, before a debit without a certain end fails it; attempts cut short by a crash count.
 * @param backOff How long the first failed attempt is put off at the most; doubles with each further one. The wait itself is random between zero and that.
 * @param maxBackOff The longest back-off, at most 11h.
 * @param flushTimeout How long a stop waits for deletes that are on their way.
 */
@Validated
@ConfigurationProperties("once.charges")
public record ChargesProperties(
        @DefaultValue("charges") @NotBlank String queue,
        @DefaultValue("charges-dlq") @NotBlank String deadLetterQueue,
        @Nullable String outcomesQueue,

        @DefaultValue({
            "SMS_ALERT_FEE",
            "ACCOUNT_MAINTENANCE_FEE",
            "CARD_ANNUAL_FEE",
            "OVERDRAFT_FEE",
            "LATE_PAYMENT_FEE",
            "CASH_WITHDRAWAL_FEE",
            "TRANSFER_FEE",
            "STATEMENT_FEE"
        })
        @NotEmpty
        Set<String> types,

        @DefaultValue("256") @Min(10) @Max(100_000) int maxInFlight,
        @DefaultValue("4") @Min(1) @Max(64) int pollers,
        @DefaultValue("5s") Duration pollWait,
        @DefaultValue("60s") Duration visibility,
        @DefaultValue("10") @Min(1) int maxAttempts,
        @DefaultValue("5s") Duration backOff,
        @DefaultValue("15m") Duration maxBackOff,
        @DefaultValue("10s") Duration flushTimeout) {

    /** How many messages one poll brings at the most, as SQS allows. */
    static final int POLL = 10;

    public ChargesProperties {
        outcomesQueue = outcomesQueue == null || outcomesQueue.isBlank() ? null : outcomesQueue;
        Checks.wholeSeconds("once.charges.poll-wait", pollWait, 0, 20);
        Checks.wholeSeconds("once.charges.visibility", visibility, 1, 43_200);
        Checks.positive("once.charges.flush-timeout", flushTimeout);
        Checks.positive("once.charges.back-off", backOff);
        Checks.refuse(
                backOff.compareTo(maxBackOff) > 0 || maxBackOff.compareTo(Duration.ofHours(11)) > 0,
                "once.charges.max-back-off (%s) must be from once.charges.back-off (%s) to 11h",
                maxBackOff,
                backOff);
    }

    /** The two back-off settings in one. */
    BackOff backOffs() {
        return new BackOff(backOff, maxBackOff);
    }
}
