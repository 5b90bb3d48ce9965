package com.finedge.once.billing;

/** What billing knows of a charge. */
public enum ChargeState {
    /** Announced, and nothing has been heard of it yet. */
    RAISED,

    /** Debited. */
    RECOVERED,

    /** Not debited; it may still become {@link #RECOVERED} if somebody reopens it. */
    FAILED
}
