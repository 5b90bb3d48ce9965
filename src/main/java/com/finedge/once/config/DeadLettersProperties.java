package com.finedge.once.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How dead-letter queues are watched and redriven.
 *
 * @param watch How often each dead-letter queue is looked at.
 * @param warnEvery How often the log warns of one that isn't empty, after the first time.
 * @param hold How long a redrive hides what it has received, whole seconds from 30s to 12h; what a killed one had in its hands comes back after that.
 */
@Validated
@ConfigurationProperties("once.dead-letters")
public record DeadLettersProperties(
        @DefaultValue("1m") Duration watch,
        @DefaultValue("1h") Duration warnEvery,
        @DefaultValue("2m") Duration hold) {

    public DeadLettersProperties {
        Checks.positive("once.dead-letters.watch", watch);
        Checks.positive("once.dead-letters.warn-every", warnEvery);
        Checks.wholeSeconds("once.dead-letters.hold", hold, 30, 43_200);
    }
}
