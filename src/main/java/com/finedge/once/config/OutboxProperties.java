package com.finedge.once.config;

import com.finedge.once.retry.BackOff;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How the outbox is relayed.
 *
 * @param relays How many relays this process runs side by side, from 1 to 32.
 * @param batch How many messages a relay takes at once, from 10 to 1000; they are sent by tens, at the same time.
 * @param lease How long a relay may take for one batch. What a crash leaves behind is sent again after it; must exceed once.aws.call-timeout twice.
 * @param maxAttempts How often a queue may refuse a message before it is parked, at least 1; a queue that can't be reached refuses nothing.
 * @param backOff How long a message waits after its first failure at the most; doubles with each further one. The wait itself is random between zero and that.
 * @param maxBackOff The longest back-off.
 * @param sweep How often the outbox is looked at without being woken: the longest delay after a lost notification or a back-off.
 * @param retention How long sent messages are kept to be looked at.
 */
@Validated
@ConfigurationProperties("once.outbox")
public record OutboxProperties(
        @DefaultValue("2") @Min(1) @Max(32) int relays,
        @DefaultValue("100") @Min(10) @Max(1000) int batch,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("10") @Min(1) int maxAttempts,
        @DefaultValue("1s") Duration backOff,
        @DefaultValue("1m") Duration maxBackOff,
        @DefaultValue("1s") Duration sweep,
        @DefaultValue("3d") Duration retention) {

    public OutboxProperties {
        Checks.positive("once.outbox.lease", lease);
        Checks.positive("once.outbox.back-off", backOff);
        Checks.refuse(
                backOff.compareTo(maxBackOff) > 0,
                "once.outbox.max-back-off (%s) must not be shorter than once.outbox.back-off (%s)",
                maxBackOff,
                backOff);
        Checks.positive("once.outbox.sweep", sweep);
        Checks.positive("once.outbox.retention", retention);
    }

    /** The two back-off settings in one. */
    BackOff backOffs() {
        return new BackOff(backOff, maxBackOff);
    }
}
