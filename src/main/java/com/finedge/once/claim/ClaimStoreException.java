package com.finedge.once.claim;

/** The claim store could not be asked or gave no usable answer; whether anything was written is unknown. */
public class ClaimStoreException extends RuntimeException {

    public ClaimStoreException(String message) {
        super(message);
    }

    public ClaimStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
