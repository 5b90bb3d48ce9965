package com.finedge.once.saga;

/** Which way a saga goes. */
public enum Phase {
    /** Its steps are done one after another. */
    FORWARD,
    /** What was done, or may have been, is undone. */
    COMPENSATING,
    /** Nothing is to be done any more. */
    ENDED
}
