package com.finedge.once.saga;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sagas that want something, counted.
 *
 * @param live those that haven't ended
 * @param attention how many ask for attention, by the reason
 * @param unknown versions of definitions that sagas are under way by and that aren't known here
 */
public record SagaCensus(
        List<InState> live, Map<Attention, Long> attention, Set<SagaDefinitions.DefinitionKey> unknown) {

    /**
     * Those in one state.
     *
     * @param oldest how long ago the oldest of them has started
     */
    public record InState(String sagaType, String state, long count, Duration oldest) {}

    public SagaCensus {
        live = List.copyOf(live);
        attention = Map.copyOf(attention);
        unknown = Set.copyOf(unknown);
    }
}
