package com.finedge.once.saga;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One step of a saga, as a team defines it.
 *
 * @param name lower-case letters, digits and hyphens, unique in its saga
 * @param action the command that does it
 * @param remember what the saga keeps of the answer, by name
 * @param undo the command that undoes it; none where there is nothing to undo
 * @param stateWhileWaiting the saga's state until the action is answered
 * @param stateWhileUndoing the saga's state until the undo is confirmed
 */
public record StepDefinition(
        String name,
        StepKind kind,
        MessageTemplate action,
        Map<String, Remembered> remember,
        @Nullable MessageTemplate undo,
        Timeout timeout,
        String stateWhileWaiting,
        String stateWhileUndoing) {

    public StepDefinition {
        remember = Map.copyOf(remember);
    }

    /** Whether a saga that waits for this step can still turn back. */
    boolean canBeTurnedBackFrom() {
        return switch (kind) {
            case COMPENSATABLE -> true;
            case PIVOT -> undo != null;
            case RETRIABLE -> false;
        };
    }
}
