package com.finedge.once.charge;

import org.jspecify.annotations.Nullable;

/**
 * Tells the customer of a debit.
 *
 * @param id derived from the charge, so that a repeated notification can be seen to be the same
 * @param debitReference the bank's reference, if it gave one
 */
public record Notification(
        String id, Charge charge, @Nullable String debitReference) {

    /** The one notification of a charge's debit. */
    public static Notification of(Charge charge, DebitResult.Debited debited) {
        return new Notification("debit-notice:" + charge.id(), charge, debited.reference());
    }
}
