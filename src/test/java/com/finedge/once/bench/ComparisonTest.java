package com.finedge.once.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    private final Comparison comparison = new Comparison();

    @Test
    void theMedianOfTheRatiosWithinTheRoundsIsJudged() {
        comparison.add(Map.of("once", figures(1_000, 400), "hand-written", figures(1_000, 400)));
        // Both slowed down alike: the round counts as well as any other.
        comparison.add(Map.of("once", figures(300, 500), "hand-written", figures(375, 400)));
        comparison.add(Map.of("once", figures(500, 800), "hand-written", figures(1_000, 400)));

        assertThat(comparison.lines())
                .hasSize(2)
                .anySatisfy(line -> assertThat(line).contains("msg/s", "0.80  (1.00 0.80 0.50"))
                .anySatisfy(line -> assertThat(line).contains("CPU", "1.25  (1.00 1.25 2.00"));
        assertThat(comparison.broken()).isEmpty();
    }

    @Test
    void eachPeerIsADemandOfItsOwn() {
        comparison.add(Map.of(
                "once", figures(790, 504),
                "spring-default", figures(100, 400),
                "spring-64", figures(470, 400),
                "spring-256-async", figures(800, 400),
                "hand-written", figures(1_000, 400)));

        assertThat(comparison.broken())
                .containsExactly(
                        "msg/s 7.90 times that of spring-default, 8.00 at least",
                        "msg/s 1.68 times that of spring-64, 1.70 at least",
                        "msg/s 0.99 times that of spring-256-async, 1.00 at least",
                        "msg/s 0.79 times that of hand-written, 0.80 at least",
                        "CPU a message 1.26 times that of hand-written, 1.25 at most");
    }

    @Test
    void withoutAPeerNothingIsCompared() {
        comparison.add(Map.of("once", figures(1, 1)));

        assertThat(comparison.lines()).isEmpty();
        assertThat(comparison.broken()).isEmpty();
    }

    private static Figures figures(int messagesPerSecond, int processorMicros) {
        return new Figures(
                messagesPerSecond,
                messagesPerSecond,
                Duration.ofSeconds(1),
                Optional.empty(),
                Duration.ofNanos(1_000L * processorMicros * messagesPerSecond),
                List.of(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                new StubBank.Totals(messagesPerSecond, 0, 0, messagesPerSecond, 0),
                List.of());
    }
}
