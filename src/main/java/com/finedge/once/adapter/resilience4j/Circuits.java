package com.finedge.once.adapter.resilience4j;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The circuits of this process, each named for what is behind it. */
public final class Circuits {

    private static final Logger log = LoggerFactory.getLogger(Circuits.class);

    /** Few enough to open within the first moments of an outage, many enough not to open for one broken charge. */
    private static final int WINDOW = 20;

    private static final float FAILURES_PERCENT = 50;

    private final CircuitBreaker bank;
    private final CircuitBreaker claimStore;

    /**
     * Closed ones.
     *
     * @param pause how long an open circuit stays open before it is probed
     * @param probes how many calls probe it, a poll's worth
     */
    public Circuits(Duration pause, int probes) {
        CircuitBreakerConfig config = CircuitBreakerConfig.custom()
                .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                .slidingWindowSize(WINDOW)
                .minimumNumberOfCalls(WINDOW / 2)
                .failureRateThreshold(FAILURES_PERCENT)
                .waitDurationInOpenState(pause)
                .permittedNumberOfCallsInHalfOpenState(probes)
                .automaticTransitionFromOpenToHalfOpenEnabled(true)
                .build();
        this.bank = circuit("bank", config);
        this.claimStore = circuit("claim-store", config);
    }

    private static CircuitBreaker circuit(String name, CircuitBreakerConfig config) {
        CircuitBreaker circuit = CircuitBreaker.of(name, config);
        circuit.getEventPublisher()
                .onStateTransition(event -> log.warn(
                        "the circuit of the {} is {}",
                        name,
                        event.getStateTransition().getToState()));
        return circuit;
    }

    /** The circuit of the bank. */
    public CircuitBreaker bank() {
        return bank;
    }

    /** The circuit of the claim store. */
    public CircuitBreaker claimStore() {
        return claimStore;
    }

    /** All of them. */
    public List<CircuitBreaker> all() {
        return List.of(bank, claimStore);
    }
}
