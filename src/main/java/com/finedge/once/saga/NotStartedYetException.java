package com.finedge.once.saga;

/** A message has overtaken the one that starts its saga, as it may on a queue without an order: it must come again. */
public final class NotStartedYetException extends RuntimeException {

    NotStartedYetException() {
        super("the message speaks of a saga that hasn't started yet");
    }
}
