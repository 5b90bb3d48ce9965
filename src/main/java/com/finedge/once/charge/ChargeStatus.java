package com.finedge.once.charge;

/** What an attempt to recover a charge left in its claim. */
public enum ChargeStatus {
    /** Debited and recorded. */
    RECOVERED,
    /** Recorded as one that won't be debited. */
    FAILED,
    /** Given back, to be tried again. */
    POSTPONED,
    /** Nothing: the claim is somebody else's by now. */
    LEASE_LOST
}
