package com.finedge.once.saga;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a saga waits for an undo to be confirmed: 5 s, 15 s, 45 s and so on up to 10 min, each a fifth more or less.
 * It never gives up, so it neither hurries for long nor comes back together with what has failed together.
 */
final class SagaBackOff {

    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int FACTOR = 3;
    private static final double SPREAD = 0.2;

    private SagaBackOff() {}

    /** @param attempt the attempt that is waited for, from 1 */
    static Duration after(int attempt) {
        Duration wait = FIRST;
        for (int i = 1; i < attempt && wait.compareTo(LONGEST) < 0; i++) {
            wait = wait.multipliedBy(FACTOR);
        }
        return wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
    }

    static Duration spread(Duration wait, RandomGenerator random) {
        double factor = 1 - SPREAD + 2 * SPREAD * random.nextDouble();
        return Duration.ofMillis(Math.round(wait.toMillis() * factor));
    }
}
