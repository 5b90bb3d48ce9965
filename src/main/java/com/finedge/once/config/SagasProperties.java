package com.finedge.once.config;

import com.finedge.once.retry.BackOff;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How sagas are run.
 *
 * @param queue Name of the queue that brings answers, orders and wishes to cancel them: replyTo of every definition.
 * @param deadLetterQueue Name of the queue that takes what can't be read.
 * @param queuePrefix What the names of queues have before the names that definitions use; also before those of the two above.
 * @param definitions Where the files of the definitions are; every version that a saga may still be under way by.
 * @param pollers How many threads poll the queue, from 1 to 32; each applies one message at a time, in a transaction.
 * @param timer How often sagas are looked for that are due.
 * @param backOff How long a saga whose timer has failed is left alone at the most; doubles with each further failure. The wait itself is random between zero and that.
 * @param maxBackOff The longest back-off.
 */
@Validated
@ConfigurationProperties("once.sagas")
public record SagasProperties(
        @DefaultValue("order-saga") @NotBlank String queue,
        @DefaultValue("order-saga-dlq") @NotBlank String deadLetterQueue,
        @Nullable String queuePrefix,

        @DefaultValue("classpath*:sagas/*.v*.yaml") @NotBlank
        String definitions,

        @DefaultValue("2") @Min(1) @Max(32) int pollers,
        @DefaultValue("1s") Duration timer,
        @DefaultValue("5s") Duration backOff,
        @DefaultValue("10m") Duration maxBackOff) {

    public SagasProperties {
        queuePrefix = queuePrefix == null || queuePrefix.isBlank() ? null : queuePrefix;
        Checks.positive("once.sagas.timer", timer);
        Checks.positive("once.sagas.back-off", backOff);
        Checks.refuse(
                backOff.compareTo(maxBackOff) > 0,
                "once.sagas.max-back-off (%s) must not be shorter than once.sagas.back-off (%s)",
                maxBackOff,
                backOff);
    }

    /** The queue that a definition calls so. */
    String queue(String name) {
        return (queuePrefix == null ? "" : queuePrefix) + name;
    }

    /** The two back-off settings in one. */
    BackOff backOffs() {
        return new BackOff(backOff, maxBackOff);
    }
}
