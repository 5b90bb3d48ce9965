package com.finedge.once.deadletter;

/** A queue gave no answer, or one that says nothing: whether the call has had its effect is unknown. */
public final class DeadLetterQueueException extends RuntimeException {

    public DeadLetterQueueException(String message, Throwable cause) {
        super(message, cause);
    }
}
