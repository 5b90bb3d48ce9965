package com.finedge.once.charge;

import com.finedge.once.contract.InvalidMessageException;

/** Is told what happens to charges besides their claims; must not throw and not block. */
public interface ChargeListener {

    /** A message was refused: it is no valid charge. */
    void refused(InvalidMessageException.Code code);

    /**
     * A delivery failed and its message was left on the queue.
     *
     * @param byClaimStore whether the claim store gave no answer (a throttled one too): that is never a duplicate
     */
    default void deliveryFailed(boolean byClaimStore) {}

    /** A charge was recorded as debited, and its notification as not taken: nobody tries that again. */
    default void notificationFailed() {}
}
