package com.finedge.once.config;

import com.finedge.once.adapter.resilience4j.Circuits;
import com.finedge.once.camel.BackEnds;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;

/** Reads the state of the back ends off their circuits. */
record BackEndsBehindCircuits(Circuits circuits) implements BackEnds {

    @Override
    public State state() {
        State worst = State.UP;
        for (CircuitBreaker circuit : circuits.all()) {
            State state = stateOf(circuit);
            worst = state.compareTo(worst) > 0 ? state : worst;
        }
        return worst;
    }

    private static State stateOf(CircuitBreaker circuit) {
        return switch (circuit.getState()) {
            case OPEN, FORCED_OPEN -> State.DOWN;
            case HALF_OPEN -> State.PROBING;
            case CLOSED, DISABLED, METRICS_ONLY -> State.UP;
        };
    }
}
