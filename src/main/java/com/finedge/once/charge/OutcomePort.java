package com.finedge.once.charge;

import com.finedge.once.contract.ChargeOutcome;

/** Tells others how charges have ended. */
@FunctionalInterface
public interface OutcomePort {

    /** Nobody wants to know. */
    OutcomePort NONE = outcome -> true;

    /**
     * Publishes it, perhaps not for the first time; receivers know a repeat by its event id.
     *
     * @return whether it was taken; if not, the charge's end must not be recorded
     */
    boolean publish(ChargeOutcome outcome);
}
