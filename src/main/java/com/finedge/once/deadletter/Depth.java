package com.finedge.once.deadletter;

/**
 * How many messages a queue holds, about.
 *
 * @param visible those that can be received
 * @param hidden those that somebody has received and not yet deleted or handed back
 */
public record Depth(long visible, long hidden) {

    /** All of them. */
    public long all() {
        return visible + hidden;
    }
}
