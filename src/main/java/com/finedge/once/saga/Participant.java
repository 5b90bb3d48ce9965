package com.finedge.once.saga;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.finedge.once.inbox.Inbox;
import com.finedge.once.inbox.InboxResult.Applied;
import com.finedge.once.inbox.InboxResult.Duplicate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Does a step of a saga at most once and undoes it at most once, in whatever order its commands come.
 *
 * <p>In one transaction:
 *
 * <ol>
 *   <li>Remember the message. It was handled before: nothing else happens.
 *   <li>Lock what is recorded of the step: an action and its undo never run at the same time.
 *   <li>Do it, undo it, or repeat the answer of then. An undo that comes first leaves a tombstone, and an action that
 *       finds one does nothing, ever.
 *   <li>Record the answer and store the messages that tell it.
 * </ol>
 *
 * <p>An exception leaves none of it, and the command comes again. A step with an effect outside the database has its own
 * way there: {@link OutsideCommand}.
 */
public final class Participant {

    /** The type of the answer to an action that was undone before it was done. */
    public static final String TOMBSTONED = "StepTombstoned.v1";

    private static final String CONSUMER = "participant:";

    private final Inbox inbox;
    private final ParticipantStore store;
    private final InstantSource clock;
    private final Supplier<UUID> ids;
    private final Duration lease;

    /**
     * @param inbox of the database that the store and the effects are in
     * @param ids names owners of steps with an effect outside
     * @param lease how long an owner has such a step; longer than asking outside twice, and than a call can be under way
     *     there after its caller has given up
     */
    public Participant(Inbox inbox, ParticipantStore store, InstantSource clock, Supplier<UUID> ids, Duration lease) {
        this.inbox = inbox;
        this.store = store;
        this.clock = clock;
        this.ids = ids;
        this.lease = lease;
    }

    /** Where a participant's answers go: into the outbox, in its transaction. */
    @FunctionalInterface
    public interface Answers {

        /**
         * Stores the messages that tell an answer.
         *
         * @param replyId names the message to the saga: each command that isn't a duplicate is answered by one. None for
         *     the answer to another command, which is told to everyone only
         * @param factId names the message to everyone; none where everyone was told before, or nothing has changed
         */
        void tell(Answer answer, @Nullable String replyId, @Nullable String factId);
    }

    /** A step of a saga, and the message that commands it. */
    record Ordered(String messageId, UUID sagaId, String step, Direction direction) {

        String key(Direction of) {
            return SagaIds.command(sagaId, step, of).toString();
        }

        @Override
        public String toString() {
            return direction + " " + step + " of saga " + sagaId;
        }
    }

    /** What has changed between two transactions: it is to be looked at again. */
    @SuppressWarnings("serial")
    static final class MovedOnException extends RuntimeException {

        MovedOnException() {
            super("somebody else has got on with the step", null, false, false);
        }
    }

    /**
     * Handles a command.
     *
     * @param messageId names the message, however often it is delivered; a resend is another message and is answered
     * @throws IllegalStateException if the step may have been done outside, so that this isn't for the database alone to
     *     say
     */
    public Participation handle(
            String messageId, UUID sagaId, String step, Direction direction, StepEffects effects, Answers answers) {
        Ordered command = new Ordered(messageId, sagaId, step, direction);
        return conclude(command, answers, recorded -> {
            if (OutsideCommand.concerns(direction, recorded)) {
                throw new IllegalStateException(
                        command + " was started outside: it can't be handled without the routes that ask there");
            }
            return answer(command, recorded, effects);
        });
    }

    /** Handles a command for a step with an effect outside the database, which is asked for outside any transaction. */
    public CommandResult handle(
            String messageId, UUID sagaId, String step, Direction direction, OutsideEffects effects, Answers answers) {
        Ordered command = new Ordered(messageId, sagaId, step, direction);
        return new OutsideCommand(this, store, clock, ids, lease, command, effects, answers).handle();
    }

    /** What is to be answered, by what is recorded of the step, which is locked. */
    @FunctionalInterface
    interface Conclusion {
        Answered from(Operation recorded);
    }

    record Answered(Participation participation, Answer answer) {

        boolean isNews() {
            return participation != Participation.REPEATED && participation != Participation.TOMBSTONED;
        }
    }

    /** The transaction in which a command ends. */
    Participation conclude(Ordered command, Answers answers, Conclusion conclusion) {
        return switch (inbox.receive(CONSUMER + command.step, command.messageId, () -> {
            Answered answered = conclusion.from(store.lock(command.sagaId, command.step));
            answers.tell(
                    answered.answer, replyId(command), answered.isNews() ? factId(command, command.direction) : null);
            return answered.participation;
        })) {
            case Applied<Participation>(Participation participation) -> participation;
            case Duplicate<Participation>() -> Participation.DUPLICATE;
        };
    }

    static String factId(Ordered command, Direction of) {
        return SagaIds.fact(command.sagaId, command.step + ":" + of);
    }

    Answered answer(Ordered command, Operation recorded, StepEffects effects) {
        return switch (command.direction) {
            case DO -> act(command, recorded, effects);
            case UNDO -> undo(command, recorded, effects);
        };
    }

    private Answered act(Ordered command, Operation recorded, StepEffects effects) {
        if (recorded.isUndone()) {
            return new Answered(
                    Participation.TOMBSTONED, new Answer(ReplyOutcome.TOMBSTONED, TOMBSTONED, SagaData.EMPTY));
        }
        if (recorded.forward() != null) {
            return new Answered(Participation.REPEATED, recorded.forward());
        }
        return new Answered(Participation.ACTED, act(command, effects::act));
    }

    /** Does the step, and returns its answer as it is recorded. */
    Answer act(Ordered command, Supplier<ActionResult> effect) {
        Answer answer = switch (effect.get()) {
            case ActionResult.Done(String type, SagaData data) -> new Answer(ReplyOutcome.SUCCEEDED, type, data);
            case ActionResult.Refused(String type, SagaData data) -> new Answer(ReplyOutcome.REFUSED, type, data);
        };
        store.acted(command.sagaId, command.step, answer);
        return answer;
    }

    private Answered undo(Ordered command, Operation recorded, StepEffects effects) {
        if (recorded.undo() != null) {
            return new Answered(Participation.REPEATED, recorded.undo());
        }
        Answer forward = recorded.forward();
        Answered answered = forward != null && forward.outcome() == ReplyOutcome.SUCCEEDED
                ? new Answered(Participation.UNDONE, undone(effects.undo(forward.data())))
                : new Answered(
                        Participation.NOT_NEEDED,
                        new Answer(ReplyOutcome.SUCCEEDED, effects.notNeeded(), SagaData.EMPTY));
        store.undone(command.sagaId, command.step, answered.answer);
        return answered;
    }

    private static Answer undone(UndoResult result) {
        return switch (result) {
            case UndoResult.Undone(String type, SagaData data) -> new Answer(ReplyOutcome.SUCCEEDED, type, data);
            case UndoResult.CannotUndo(String type, SagaData data) -> new Answer(ReplyOutcome.CANNOT_UNDO, type, data);
        };
    }

    /** A message is answered once, by a message of its own: a resend whose answer had the id of the first would be taken for it. */
    private static String replyId(Ordered command) {
        return UUID.nameUUIDFromBytes(
                        String.join("\n", "reply", command.sagaId.toString(), command.step, command.messageId)
                                .getBytes(UTF_8))
                .toString();
    }
}
