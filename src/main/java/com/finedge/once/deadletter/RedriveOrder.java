package com.finedge.once.deadletter;

import com.finedge.once.audit.Operator;

/**
 * What an operator orders.
 *
 * @param by who and why
 * @param filter which letters
 * @param terms what is allowed beyond the ordinary
 * @param dryRun whether nothing is to be done and everything to be said
 * @param batch how many letters are received at a time, 1 to 10
 * @param rate how many letters a second are begun at the most, 1 to 1,000; a dry run isn't slowed down
 * @param maxInFlight how many letters are worked on at once, 1 to 100
 */
public record RedriveOrder(
        Operator by, LetterFilter filter, Terms terms, boolean dryRun, int batch, int rate, int maxInFlight) {

    /** The most letters that are worked on at once. */
    public static final int MOST_IN_FLIGHT = 100;

    public static final int DEFAULT_BATCH = 10;
    public static final int DEFAULT_RATE = 50;
    public static final int DEFAULT_IN_FLIGHT = 10;

    /** @throws IllegalArgumentException for a number beyond its bounds */
    public RedriveOrder {
        within("batch", batch, 10);
        within("rate", rate, 1_000);
        within("maxInFlight", maxInFlight, MOST_IN_FLIGHT);
    }

    /** A dry run of all letters with the numbers that are usual. */
    public static RedriveOrder dryRun(Operator by, LetterFilter filter) {
        return new RedriveOrder(by, filter, Terms.ORDINARY, true, DEFAULT_BATCH, DEFAULT_RATE, DEFAULT_IN_FLIGHT);
    }

    /** The same in earnest. */
    public RedriveOrder inEarnest() {
        return new RedriveOrder(by, filter, terms, false, batch, rate, maxInFlight);
    }

    private static void within(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(name + " must be from 1 to " + most);
        }
    }
}
