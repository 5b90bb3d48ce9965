package com.finedge.once.config;

import com.finedge.once.adapter.resilience4j.Circuits;
import com.finedge.once.claim.Heartbeat;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What readiness says, and why. */
@Configuration(proxyBeanMethods = false)
class HealthConfiguration {

    @Bean
    HealthIndicator circuitsHealthIndicator(Circuits circuits) {
        return () -> {
            Health.Builder health = Health.up();
            for (CircuitBreaker circuit : circuits.all()) {
                health.withDetail(circuit.getName(), circuit.getState());
                if (circuit.getState() == CircuitBreaker.State.OPEN) {
                    health.outOfService();
                }
            }
            return health.build();
        };
    }

    @Bean
    HealthIndicator heartbeatHealthIndicator(Heartbeat heartbeat) {
        return () -> (heartbeat.isLate() ? Health.down().withDetail("heartbeat", "late") : Health.up())
                .withDetail("holding", heartbeat.holding())
                .build();
    }
}
