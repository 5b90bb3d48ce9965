package com.finedge.once.deadletter;

/** A dead-letter queue whose messages can go back to where they came from. */
public interface RedrivableQueue extends DeadLetterQueue {

    /** The name of the queue they came from. */
    String source();

    /**
     * Sends a copy of the letter to the source, its body to the byte, with its redrives counted up; returns when the
     * source has it.
     */
    void resend(DeadLetter letter);

    /**
     * Sends a corrected body to the source, as a new message that names the letter it stands for; returns when the source
     * has it.
     */
    void sendInstead(DeadLetter letter, String body);

    /** Deletes the letter; returns when it is gone. */
    void delete(DeadLetter letter);
}
