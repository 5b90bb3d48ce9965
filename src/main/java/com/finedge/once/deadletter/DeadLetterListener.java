package com.finedge.once.deadletter;

/** Is told what there is in dead-letter queues and what becomes of it; must not throw and not block. */
public interface DeadLetterListener {

    /** Listens to nothing. */
    DeadLetterListener NONE = new DeadLetterListener() {};

    /** A queue was looked at. */
    default void watched(Standing standing) {}

    /**
     * A redrive in earnest has dealt with a letter.
     *
     * @param word the {@link Verdict#word}, {@code CHANGED} or {@code FAILED}
     */
    default void redriven(String queue, String word) {}
}
