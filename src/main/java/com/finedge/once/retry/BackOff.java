package com.finedge.once.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential back-off with full jitter: the n-th wait is anything from zero to {@code initial * 2^(n-1)}, at most
 * {@code longest}. Full jitter, because what failed together must not come back together.
 */
public record BackOff(Duration initial, Duration longest) {

    private static final int MOST_DOUBLINGS = 30;

    /** @throws IllegalArgumentException unless {@code 0 < initial <= longest} */
    public BackOff {
        if (!initial.isPositive() || initial.compareTo(longest) > 0) {
            throw new IllegalArgumentException("a back-off needs 0 < initial <= longest");
        }
    }

    /**
     * How long to wait now.
     *
     * @param attempt the attempt that has just failed, from 1
     */
    public Duration after(long attempt, RandomGenerator random) {
        long doublings = Math.min(Math.max(attempt - 1, 0), MOST_DOUBLINGS);
        Duration bound = initial.multipliedBy(1L << doublings);
        Duration most = bound.compareTo(longest) < 0 ? bound : longest;
        return Duration.ofMillis(random.nextLong(most.toMillis() + 1));
    }
}
