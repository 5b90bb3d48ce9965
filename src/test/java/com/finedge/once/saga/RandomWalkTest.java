package com.finedge.once.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.finedge.once.saga.Walk.Trouble;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.FieldSource;

/** Thousands of sagas, each in another weather. */
class RandomWalkTest {

    private static final int WALKS = 4_000;

    /** With the seed in the failure: a walk is repeated by it. */
    private static Walk walk(long seed, Set<Trouble> troubles) {
        try {
            return new Walk(Orders.DEFINITION, seed, troubles).walk();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("walk " + seed + " with " + troubles + ": " + e.getMessage(), e);
        }
    }

    @Test
    void everyOrderEndsWellOverQueuesThatLoseRepeatAndReorder() {
        Set<Disposition> met = new TreeSet<>();
        Map<@Nullable SagaOutcome, Integer> ends = new HashMap<>();
        for (long seed = 0; seed < WALKS; seed++) {
            Walk walk = walk(seed, EnumSet.noneOf(Trouble.class));
            met.addAll(walk.dispositions());
            ends.merge(walk.saga().outcome(), 1, Integer::sum);
            // Whatever queues do, honest participants never look illegal.
            assertThat(walk.dispositions())
                    .as("walk %s", seed)
                    .doesNotContain(Disposition.ILLEGAL, Disposition.CONTRADICTION);
            assertThat(walk.saga().attention()).as("walk %s", seed).isNull();
        }

        assertThat(ends.get(SagaOutcome.COMPLETED)).isGreaterThan(WALKS / 10);
        assertThat(ends.get(SagaOutcome.CANCELLED)).isGreaterThan(WALKS / 10);
        // The walks have been everywhere, or they would prove little.
        assertThat(met)
                .containsExactlyInAnyOrder(
                        Disposition.APPLIED,
                        Disposition.DUPLICATE,
                        Disposition.RETRY_LATER,
                        Disposition.LATE_SUCCESS,
                        Disposition.LATE_FAILURE,
                        Disposition.STALE,
                        Disposition.COMPENSATION_FAILED,
                        Disposition.PIVOT_STANDS,
                        Disposition.RESENT,
                        Disposition.TIMED_OUT,
                        Disposition.REARMED,
                        Disposition.HELD,
                        Disposition.CANNOT_BE_CANCELLED);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"NO_TOMBSTONES", "TIMEOUTS_ARE_REFUSALS"})
    void soItDoesWith(Trouble trouble) {
        Set<Disposition> met = new TreeSet<>();
        for (long seed = 0; seed < WALKS; seed++) {
            met.addAll(walk(seed, EnumSet.of(trouble)).dispositions());
        }

        assertThat(met)
                .contains(
                        switch (trouble) {
                            case CONTRADICTIONS -> Disposition.CONTRADICTION;
                            case NONSENSE -> Disposition.ILLEGAL;
                            case OPERATORS -> Disposition.POISON;
                            case NO_TOMBSTONES, TIMEOUTS_ARE_REFUSALS -> throw new AssertionError();
                        });
    }

    @Test
    void soItDoesWithAllOfThem() {
        for (long seed = 0; seed < WALKS; seed++) {
            walk(seed, EnumSet.complementOf(EnumSet.copyOf(Walk.MUTANTS)));
        }
    }

    /** The walks see what the rules are for: without one of them, something stays done that was to be undone. */
    @ParameterizedTest
    @FieldSource("com.finedge.once.saga.Walk#MUTANTS")
    void theyFindOutWhatTakesARuleAway(Trouble mutant) {
        assertThat(LongStream.range(0, WALKS)
                        .mapToObj(seed -> catchThrowable(() -> walk(seed, EnumSet.of(mutant))))
                        .filter(failure -> failure instanceof AssertionError)
                        .map(failure -> String.valueOf(failure.getMessage()))
                        .filter(message -> message.contains("was undone")))
                .hasSizeGreaterThan(10);
    }
}
