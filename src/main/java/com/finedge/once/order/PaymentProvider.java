package com.finedge.once.order;

import com.finedge.once.charge.Money;

/**
 * Takes payments for us and gives them back. A key names one payment, or one refund: however often it comes, money moves
 * once. What isn't certain, such as silence, is an exception; asking again with the same key is safe.
 */
public interface PaymentProvider {

    /** What became of a payment. */
    sealed interface Charge {

        /**
         * The money was taken, whether it was given back since or not.
         *
         * @param reference the provider's own name for it
         */
        record Charged(String reference) implements Charge {}

        /**
         * It isn't taken, and won't be under this key.
         *
         * @param code why, upper-case letters, digits and underscores
         */
        record Declined(String code) implements Charge {}

        /** There was never a payment under this key. */
        record Unknown() implements Charge {}
    }

    /** What became of a refund. */
    sealed interface Refund {

        /** @param reference the provider's own name for it */
        record Refunded(String reference) implements Refund {}

        /** @param code why it isn't given back, upper-case letters, digits and underscores */
        record Refused(String code) implements Refund {}
    }

    /** Takes a payment, or tells what has become of it: never {@link Charge.Unknown}. */
    Charge charge(String key, String orderId, String customerId, Money amount);

    /** What has become of a payment. */
    Charge find(String key);

    /**
     * Gives back all of a payment that was taken.
     *
     * @param key of the refund
     * @param chargeKey of the payment
     */
    Refund refund(String key, String chargeKey);
}
