package com.finedge.once.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackOffTest {

    private final BackOff backOff = new BackOff(Duration.ofSeconds(5), Duration.ofMinutes(15));

    private Duration longestOfMany(long attempt) {
        SplittableRandom random = new SplittableRandom(1);
        return IntStream.range(0, 10_000)
                .mapToObj(i -> backOff.after(attempt, random))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    @Test
    void itDoublesFromTheInitialToTheLongest() {
        assertThat(longestOfMany(1)).isBetween(Duration.ofMillis(4_900), Duration.ofSeconds(5));
        assertThat(longestOfMany(2)).isBetween(Duration.ofMillis(9_800), Duration.ofSeconds(10));
        assertThat(longestOfMany(4)).isBetween(Duration.ofSeconds(39), Duration.ofSeconds(40));
        assertThat(longestOfMany(9)).isBetween(Duration.ofMinutes(14), Duration.ofMinutes(15));
        assertThat(longestOfMany(Long.MAX_VALUE)).isBetween(Duration.ofMinutes(14), Duration.ofMinutes(15));
    }

    @Test
    void itsJitterIsFull() {
        SplittableRandom random = new SplittableRandom(1);
        double mean = IntStream.range(0, 10_000)
                .mapToLong(i -> backOff.after(1, random).toMillis())
                .average()
                .orElseThrow();
        assertThat(mean).isBetween(2_400.0, 2_600.0);
    }

    @Test
    void anEmptyOrInvertedOneIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new BackOff(Duration.ZERO, Duration.ofSeconds(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BackOff(Duration.ofSeconds(2), Duration.ofSeconds(1)));
    }
}
