package com.finedge.once.deadletter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of a dead-letter queue, received and hidden for a while. What its attributes say is made harmless, not true:
 * whoever may send to the queue can have written them.
 *
 * @param id the queue's id of it, the same until it is deleted
 * @param receipt what it is deleted or handed back with
 * @param body as it came, to the byte; personal data
 * @param code why it is here, in one word; {@link #NO_CODE} where nobody said
 * @param reason the same for people, if somebody said
 * @param originalId the id of the message it is a copy of, if it is one
 * @param traceparent the sender's trace context, if it is well-formed
 * @param redrives how often it was sent back from here before
 * @param sentAt when it was sent to this queue, or first sent at all where SQS itself has moved it
 * @param failedAt when its work ended, if somebody said
 */
public record DeadLetter(
        String id,
        String receipt,
        String body,
        String code,
        @Nullable String reason,
        @Nullable String originalId,
        @Nullable String traceparent,
        int redrives,
        Instant sentAt,
        @Nullable Instant failedAt) {

    /** Of a message without a code: SQS has moved it after too many receives, or somebody has sent it here by hand. */
    public static final String NO_CODE = "NO_CODE";

    /** The same without the body, to be kept in numbers. */
    DeadLetter withoutBody() {
        return new DeadLetter(id, receipt, "", code, reason, originalId, traceparent, redrives, sentAt, failedAt);
    }

    /** Without body and receipt: this may be logged. */
    @Override
    public String toString() {
        return "dead letter " + id;
    }
}
