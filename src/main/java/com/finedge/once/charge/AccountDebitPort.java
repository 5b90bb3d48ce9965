package com.finedge.once.charge;

/** The bank that debits accounts. */
public interface AccountDebitPort {

    /**
     * Debits the charge with its id as the idempotency key, the same for every attempt: the bank moves the money once
     * however often this is called. That, and not the lease, is what makes a crash after the debit harmless.
     *
     * <p>Every fault of the network or the bank is a {@link DebitResult.Uncertain}; nothing is thrown for it.
     */
    DebitResult debit(Charge charge);

    /**
     * Asks whether a debit of this charge was made, by its idempotency key; moves no money.
     *
     * <p>Every fault is a {@link DebitSearch.NoAnswer}; nothing is thrown for it.
     */
    DebitSearch find(ChargeId id);
}
