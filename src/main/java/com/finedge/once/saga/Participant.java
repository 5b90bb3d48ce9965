package com.finedge.once.saga;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.finedge.once.inbox.Inbox;
import com.finedge.once.inbox.InboxResult.Applied;
import com.finedge.once.inbox.InboxResult.Duplicate;
import java.util.UUID;
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
 * <p>An exception leaves none of it, and the command comes again.
 */
public final class Participant {

    /** The type of the answer to an action that was undone before it was done. */
    public static final String TOMBSTONED = "StepTombstoned.v1";

    private static final String CONSUMER = "participant:";

    private final Inbox inbox;
    private final ParticipantStore store;

    /** @param inbox of the database that the store and the effects are in */
    public Participant(Inbox inbox, ParticipantStore store) {
        this.inbox = inbox;
        this.store = store;
    }

    /** Where a participant's answers go: into the outbox, in its transaction. */
    @FunctionalInterface
    public interface Answers {

        /**
         * Stores the messages that tell an answer.
         *
         * @param replyId names the message to the saga: each command that isn't a duplicate is answered by one
         * @param factId names the message to everyone; none where everyone was told before, or nothing has changed
         */
        void tell(Answer answer, String replyId, @Nullable String factId);
    }

    /**
     * Handles a command.
     *
     * @param messageId names the message, however often it is delivered; a resend is another message and is answered
     */
    public Participation handle(
            String messageId, UUID sagaId, String step, Direction direction, StepEffects effects, Answers answers) {
        return switch (inbox.receive(CONSUMER + step, messageId, () -> {
            Answered answered = switch (direction) {
                case DO -> act(sagaId, step, effects);
                case UNDO -> undo(sagaId, step, effects);
            };
            answers.tell(
                    answered.answer,
                    replyId(messageId, sagaId, step),
                    answered.isNews() ? SagaIds.fact(sagaId, step + ":" + direction) : null);
            return answered.participation;
        })) {
            case Applied<Participation>(Participation participation) -> participation;
            case Duplicate<Participation>() -> Participation.DUPLICATE;
        };
    }

    private record Answered(Participation participation, Answer answer) {

        boolean isNews() {
            return participation != Participation.REPEATED && participation != Participation.TOMBSTONED;
        }
    }

    private Answered act(UUID sagaId, String step, StepEffects effects) {
        Operation recorded = store.lock(sagaId, step);
        if (recorded.isUndone()) {
            return new Answered(
                    Participation.TOMBSTONED, new Answer(ReplyOutcome.TOMBSTONED, TOMBSTONED, SagaData.EMPTY));
        }
        if (recorded.forward() != null) {
            return new Answered(Participation.REPEATED, recorded.forward());
        }
        Answer answer = switch (effects.act()) {
            case ActionResult.Done(String type, SagaData data) -> new Answer(ReplyOutcome.SUCCEEDED, type, data);
            case ActionResult.Refused(String type, SagaData data) -> new Answer(ReplyOutcome.REFUSED, type, data);
        };
        store.acted(sagaId, step, answer);
        return new Answered(Participation.ACTED, answer);
    }

    private Answered undo(UUID sagaId, String step, StepEffects effects) {
        Operation recorded = store.lock(sagaId, step);
        if (recorded.undo() != null) {
            return new Answered(Participation.REPEATED, recorded.undo());
        }
        Answer forward = recorded.forward();
        Answered answered = forward != null && forward.outcome() == ReplyOutcome.SUCCEEDED
                ? new Answered(Participation.UNDONE, undone(effects.undo(forward.data())))
                : new Answered(
                        Participation.NOT_NEEDED,
                        new Answer(ReplyOutcome.SUCCEEDED, effects.notNeeded(), SagaData.EMPTY));
        store.undone(sagaId, step, answered.answer);
        return answered;
    }

    private static Answer undone(UndoResult result) {
        return switch (result) {
            case UndoResult.Undone(String type, SagaData data) -> new Answer(ReplyOutcome.SUCCEEDED, type, data);
            case UndoResult.CannotUndo(String type, SagaData data) -> new Answer(ReplyOutcome.CANNOT_UNDO, type, data);
        };
    }

    /** A message is answered once, by a message of its own: a resend whose answer had the id of the first would be taken for it. */
    private static String replyId(String messageId, UUID sagaId, String step) {
        return UUID.nameUUIDFromBytes(String.join("\n", "reply", sagaId.toString(), step, messageId)
                        .getBytes(UTF_8))
                .toString();
    }
}
