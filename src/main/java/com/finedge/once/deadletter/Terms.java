package com.finedge.once.deadletter;

/**
 * What an operator allows beyond the ordinary.
 *
 * @param includeRejected also what was decided against
 * @param force also what has come back {@link #MOST_REDRIVES} times
 */
public record Terms(boolean includeRejected, boolean force) {

    /** After so many redrives a letter stays, unless it is forced. */
    public static final int MOST_REDRIVES = 3;

    /** Nothing beyond. */
    public static final Terms ORDINARY = new Terms(false, false);
}
