package com.finedge.once.config;

import jakarta.validation.constraints.NotBlank;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;
import org.springframework.validation.annotation.Validated;

/**
 * How effects are claimed.
 *
 * @param store Where the claims are kept: in a table of DynamoDB or in PostgreSQL.
 * @param table Name of the DynamoDB table of the claims.
 * @param statementTimeout How long a statement on claims in PostgreSQL may take, waiting for another transaction included, whole seconds; must stay below the lease.
 * @param lease How long a claim is held. A crash blocks its charge for this long; work that takes longer may be run twice, and is recorded once.
 * @param maxHold How long the heartbeat renews a claim and its message at the most, from the lease to below 12h; work that hangs must not keep them for ever.
 * @param retention How long the claim of an ended charge is kept. Must exceed the retention of the queue and of its dead-letter queue and the redrive window together.
 * @param redriveWindow How long after a message was taken from the dead-letter queue by hand it may still be sent again.
 */
@Validated
@ConfigurationProperties("once.claims")
public record ClaimsProperties(
        @DefaultValue("dynamodb") Store store,
        @DefaultValue("once-claims") @NotBlank String table,
        @DefaultValue("5s") Duration statementTimeout,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("5m") Duration maxHold,
        @DefaultValue("60d") Duration retention,
        @DefaultValue("14d") Duration redriveWindow) {

    /** Where claims may be kept. */
    public enum Store {
        DYNAMODB,
        JDBC;

        /** That of this process. */
        static Store of(Environment environment) {
            return Binder.get(environment)
                    .bind("once.claims.store", Store.class)
                    .orElse(DYNAMODB);
        }
    }

    public ClaimsProperties {
        Checks.wholeSeconds("once.claims.statement-timeout", statementTimeout, 1, 60);
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
