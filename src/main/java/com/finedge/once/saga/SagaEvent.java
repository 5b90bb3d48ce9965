package com.finedge.once.saga;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Something that happens to a saga. */
public sealed interface SagaEvent {

    /** The message that has started it comes again. */
    record StartRepeated() implements SagaEvent {}

    /**
     * A participant answers. It is matched to the command that it answers, never to the step that the saga waits for.
     *
     * @param attempt the attempt that is answered, for the history only
     * @param data what the participant says
     */
    record Reply(UUID commandId, Direction direction, int attempt, ReplyOutcome outcome, SagaData data)
            implements SagaEvent {}

    /** An answer was found that can't be read. */
    record ReplyUnreadable() implements SagaEvent {}

    /**
     * Its time has come.
     *
     * @param lastSent how long ago its latest message has left the outbox; empty while one has not. A message that was
     *     forgotten in the meantime left long ago
     * @param backlog whether the oldest message of the current step's queue, or of the queue of the answers, is older
     *     than the step's timeout: then the participant is slow for everyone, and it is too early to doubt this step
     */
    record Woken(Optional<Duration> lastSent, boolean backlog) implements SagaEvent {}

    /** Somebody asks it to turn back, by a message. */
    record CancelRequested() implements SagaEvent {}

    /**
     * An operator acts; no verb sets a state.
     *
     * @param by who
     * @param reason why
     */
    record Operated(Verb verb, String by, String reason) implements SagaEvent {

        /** @throws IllegalArgumentException without a name and a reason */
        public Operated {
            requireText(by, "who");
            requireText(reason, "why");
        }
    }

    /** What an operator can do. */
    sealed interface Verb {

        /** The verb as an operator writes it, with its evidence. */
        String label();

        /** Send now what it waits for. */
        record RetryNow() implements Verb {
            @Override
            public String label() {
                return "retry-now";
            }
        }

        /** Let nothing wake it up. */
        record Park() implements Verb {
            @Override
            public String label() {
                return "park";
            }
        }

        /** Let it go on; what has asked for attention was seen to. */
        record Unpark() implements Verb {
            @Override
            public String label() {
                return "unpark";
            }
        }

        /** Turn back, as if the current step had timed out. */
        record Compensate() implements Verb {
            @Override
            public String label() {
                return "compensate";
            }
        }

        /**
         * Take an undo that isn't confirmed for done.
         *
         * @param evidence what proves that it was, such as the number of a transfer
         */
        record MarkUndone(String step, String evidence) implements Verb {

            /** @throws IllegalArgumentException without evidence */
            public MarkUndone {
                requireText(evidence, "evidence");
            }

            @Override
            public String label() {
                return "mark-undone of %s (%s)".formatted(step, evidence);
            }
        }
    }

    private static void requireText(@Nullable String text, String what) {
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException("an operator says " + what);
        }
    }
}
