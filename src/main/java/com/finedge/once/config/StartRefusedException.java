package com.finedge.once.config;

/** The application can't keep its promises with these settings or surroundings; the message says which and why. */
public class StartRefusedException extends RuntimeException {

    public StartRefusedException(String message) {
        super(message);
    }

    public StartRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
