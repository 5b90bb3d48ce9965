package com.finedge.once.billing;

/** Is told what happens in billing, after its transaction has ended; must not throw and not block. */
@FunctionalInterface
public interface BillingListener {

    /** A valid request was answered. */
    void answered(RaiseResult result);
}
