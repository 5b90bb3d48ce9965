package com.finedge.once.charge;

import java.math.BigDecimal;
import java.util.Currency;

/**
 * A positive amount in a currency, with exactly the currency's own number of decimals.
 *
 * @param amount for instance {@code 19.90} EUR or {@code 10000} JPY
 */
public record Money(BigDecimal amount, Currency currency) {

    /** @throws IllegalArgumentException if the amount isn't positive or has more decimals than the currency */
    public Money {
        if (amount.signum() <= 0) {
            throw new IllegalArgumentException("an amount of money to recover is positive");
        }
        try {
            amount = amount.setScale(currency.getDefaultFractionDigits());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("the amount has more decimals than " + currency + " has", e);
        }
    }

    /** The digits as they go to the bank, never with an exponent. */
    public String digits() {
        return amount.toPlainString();
    }

    @Override
    public String toString() {
        return digits() + " " + currency;
    }
}
