package com.finedge.once.billing;

/** What became of a request to raise a charge. */
public sealed interface RaiseResult {

    /** The charge is stored, and its event will be sent. */
    record Raised(BilledCharge charge) implements RaiseResult {}

    /**
     * The same request had raised it before.
     *
     * @param charge as it was then
     */
    record Repeated(BilledCharge charge) implements RaiseResult {}

    /** The key was used for another request; nothing was done. */
    record KeyReused() implements RaiseResult {}

    /** A request with this key is being worked on; nothing was done. */
    record InFlight() implements RaiseResult {}

    /**
     * A request with another key had raised a charge of this id; nothing was done.
     *
     * @param sameContent whether it charges the same
     */
    record ChargeExists(String chargeId, boolean sameContent) implements RaiseResult {}
}
