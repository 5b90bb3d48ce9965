package com.finedge.once.camel;

import java.util.function.IntUnaryOperator;

/** Forgets rows in batches, so that no lock is held for long. */
final class Purge {

    private static final int AT_ONCE = 1_000;

    private Purge() {}

    /** @param purge forgets as many as it is given at the most, and says how many these were */
    static void inBatches(IntUnaryOperator purge) {
        int purged;
        do {
            purged = purge.applyAsInt(AT_ONCE);
        } while (purged == AT_ONCE);
    }
}
