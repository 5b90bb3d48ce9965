package com.finedge.once.config;

import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How effects are claimed.
 *
 * @param table Name of the DynamoDB table of the claims.
 * @param lease How long a claim is held. A crash blocks its charge for this long; work that takes longer may be run twice, and is recorded once.
 * @param maxHold How long the heartbeat renews a claim and its message at the most, from the lease to below 12h; work that hangs must not keep them for ever.
 * @param retention How long the claim of an ended charge is kept. Must exceed the retention of the queue and of its dead-letter queue and the redrive window together.
 * @param redriveWindow How long after a message was taken from the dead-letter queue by hand it may still be sent again.
 */
@Validated
@ConfigurationProperties("once.claims")
public record ClaimsProperties(
        @DefaultValue("once-claims") @NotBlank String table,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("5m") Duration maxHold,
        @DefaultValue("60d") Duration retention,
        @DefaultValue("14d") Duration redriveWindow) {

    public ClaimsProperties {
        Checks.positive("once.claims.lease", lease);
        Checks.refuse(
                maxHold.compareTo(lease) < 0 || maxHold.compareTo(Duration.ofHours(12)) >= 0,
                "once.claims.max-hold (%s) must be from once.claims.lease (%s) to below 12h",
                maxHold,
                lease);
        Checks.positive("once.claims.retention", retention);
        Checks.positive("once.claims.redrive-window", redriveWindow);
    }
}
