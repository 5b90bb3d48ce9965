package com.finedge.once.saga;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of one saga: a row of its own and one for each step.
 *
 * @param definitionVersion the version that it has started with and keeps
 * @param state in one word what it waits for, or how it has ended
 * @param outcome how it has ended; there is one if and only if it has
 * @param currentStep what it waits for; while it turns back, the first of the undos that aren't confirmed
 * @param version grows by one with every decision; a store writes only over the version that it has read
 * @param data what it remembers
 * @param steps in the order of the definition
 * @param parked nothing wakes it up; answers are still applied
 * @param attention why somebody should look at it
 * @param cancelRequested it was asked to turn back
 * @param announced the end that was told everyone; told once, even if a contradiction opens the saga again
 * @param traceparent of the message that has started it
 */
public record Saga(
        UUID id,
        String type,
        int definitionVersion,
        String businessKey,
        Phase phase,
        String state,
        @Nullable SagaOutcome outcome,
        @Nullable String currentStep,
        long version,
        SagaData data,
        List<Step> steps,
        boolean parked,
        @Nullable Attention attention,
        boolean cancelRequested,
        @Nullable SagaOutcome announced,
        @Nullable String traceparent) {

    /** @throws IllegalArgumentException if the outcome doesn't fit the phase */
    public Saga {
        steps = List.copyOf(steps);
        if ((phase == Phase.ENDED) != (outcome != null)) {
            throw new IllegalArgumentException("a saga has an outcome if and only if it has ended");
        }
    }

    /** @throws IllegalArgumentException if there is no such step */
    public Step step(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("saga %s has no step %s".formatted(id, name)));
    }

    /** The step of this name, if there is one. */
    public Optional<Step> find(String name) {
        return steps.stream().filter(step -> step.name().equals(name)).findFirst();
    }

    /** Without the data, which may be a customer's. */
    @Override
    public String toString() {
        return "%s %s (%s): %s, version %s".formatted(type, businessKey, id, state, version);
    }
}
