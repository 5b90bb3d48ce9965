package com.finedge.once.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How charges are raised.
 *
 * @param idempotencyRetention How long it is remembered what an idempotency key was used for, at least 24h. A request that comes again later is a new one.
 */
@ConfigurationProperties("once.billing")
public record BillingProperties(@DefaultValue("7d") Duration idempotencyRetention) {

    private static final Duration LEAST = Duration.ofHours(24);

    public BillingProperties {
        Checks.refuse(
                idempotencyRetention.compareTo(LEAST) < 0,
                "once.billing.idempotency-retention (%s) must be at least %s: a request that is sent again after it would "
                        + "raise a second charge",
                idempotencyRetention,
                LEAST);
    }
}
