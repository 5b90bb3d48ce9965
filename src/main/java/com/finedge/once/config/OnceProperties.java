package com.finedge.once.config;

import jakarta.validation.constraints.NotEmpty;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * What this process does.
 *
 * @param roles Parts of the application that run in this process: charge-recovery, billing, order-saga, order-participants, console. PostgreSQL is needed by all but charge-recovery, and for claims where once.claims.store says so.
 * @param routes A folder of route files: they are added to those of the jar, and replace those of their names; each is checked at start. Nothing where only the jar's are to run.
 * @param hawtio Whether Hawtio is on the management port, so that Camel counts and times each step; where the console is, unless said otherwise.
 * @param shutdownGrace How long started work may take to finish after SIGTERM; what doesn't is left to its lease.
 * @param circuitPause How long an open circuit (of the bank or of the claim store) stays open before a poll probes it.
 */
@Validated
@ConfigurationProperties("once")
public record OnceProperties(
        @DefaultValue({"charge-recovery", "billing", "order-saga", "order-participants", "console"}) @NotEmpty
        Set<Role> roles,

        @Nullable String routes,

        @Nullable Boolean hawtio,

        @DefaultValue("30s") Duration shutdownGrace,
        @DefaultValue("5s") Duration circuitPause) {

    public OnceProperties {
        Checks.positive("once.shutdown-grace", shutdownGrace);
        Checks.positive("once.circuit-pause", circuitPause);
    }
}
