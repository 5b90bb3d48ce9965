package com.finedge.once.charge;

/** What the bank says to a debit, in one word. */
public enum DebitOutcome {
    /** The money is moved. */
    DEBITED,
    /** The bank has decided against it, and will again. */
    REJECTED,
    /** The money was not moved now; later it may be. */
    UNAVAILABLE,
    /** Nobody here knows whether the money was moved; asking again with the same key finds out. */
    UNKNOWN
}
