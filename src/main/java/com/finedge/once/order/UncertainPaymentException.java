package com.finedge.once.order;

import org.jspecify.annotations.Nullable;

/** It can't be said what has become of a payment or a refund; whoever asks again with the same key will learn. */
@SuppressWarnings("serial")
public final class UncertainPaymentException extends RuntimeException {

    /** @param message without anything of the payment itself */
    public UncertainPaymentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
