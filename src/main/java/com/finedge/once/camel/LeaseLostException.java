package com.finedge.once.camel;

/** The effect was performed, but its lease had been taken over meanwhile: this message must not be acknowledged. */
public class LeaseLostException extends RuntimeException {

    public LeaseLostException(String key) {
        super(key + ": the lease was lost before the effect could be recorded");
    }
}
