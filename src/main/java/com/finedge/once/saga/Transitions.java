package com.finedge.once.saga;

import com.finedge.once.saga.Expressions.Scope;
import com.finedge.once.saga.SagaEvent.CancelRequested;
import com.finedge.once.saga.SagaEvent.Operated;
import com.finedge.once.saga.SagaEvent.Reply;
import com.finedge.once.saga.SagaEvent.ReplyUnreadable;
import com.finedge.once.saga.SagaEvent.StartRepeated;
import com.finedge.once.saga.SagaEvent.Verb;
import com.finedge.once.saga.SagaEvent.Woken;
import com.finedge.once.saga.StartDecision.Impossible;
import com.finedge.once.saga.StartDecision.Started;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a saga does about an event: a total function, without input and output, of its definition, what is recorded of
 * it, and the event. Whatever comes has an answer; an exception means that a definition or a store is broken.
 *
 * <p>A store calls it in one transaction:
 *
 * <ol>
 *   <li>Note the message in the inbox; a known one ends here.
 *   <li>Read the saga and its steps, the saga's row locked. Without one a reply is an {@link Disposition#ORPHAN}: keep it
 *       and alert. A starting message goes to {@link #start}, an existing saga under {@link SagaIds#saga} makes it a
 *       {@link StartRepeated}.
 *   <li>Decide, with the definition of the saga's own version.
 *   <li>Write {@link Decision#saga} over the version that was read, which must hit one row, and the steps that differ;
 *       set the time to wake by {@link Decision#wakeUp}; append disposition and note to the history under the saga's new
 *       version.
 *   <li>Add {@link Decision#commands} and {@link Decision#facts} to the outbox, under their message ids.
 * </ol>
 *
 * <p>A saga that hasn't ended is parked or has a time to wake, always. Its commands are the same at every attempt: an
 * action is sent before the saga remembers more, an undo uses nothing that could arrive later.
 */
public final class Transitions {

    private static final Pattern BUSINESS_KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,127}");

    private final Expressions expressions;
    private final RandomGenerator random;

    /** @param random spreads the times to wake of sagas that turn back */
    public Transitions(Expressions expressions, RandomGenerator random) {
        this.expressions = expressions;
        this.random = random;
    }

    /**
     * Starts a saga, for a business key that has none yet.
     *
     * @param message the data of the message that starts it
     */
    public StartDecision start(SagaDefinition definition, SagaData message, @Nullable String traceparent) {
        Scope scope = new Scope(message, SagaData.EMPTY, SagaData.EMPTY);
        if (!(expressions.evaluate(definition.start().key(), scope) instanceof String key)
                || !BUSINESS_KEY.matcher(key).matches()) {
            return new Impossible("the message has no business key: letters, digits and . _ : -, at most 128");
        }
        SagaData data = SagaData.EMPTY;
        for (StepDefinition step : definition.steps()) {
            for (Map.Entry<String, Remembered> later : step.remember().entrySet()) {
                String otherwise = later.getValue().otherwise();
                if (otherwise != null) {
                    data = data.with(later.getKey(), otherwise);
                }
            }
        }
        for (Map.Entry<String, Remembered> remembered :
                definition.start().remember().entrySet()) {
            Object value = expressions.evaluate(remembered.getValue().expression(), scope);
            if (value == null) {
                value = remembered.getValue().otherwise();
            }
            if (value == null) {
                return new Impossible("the message doesn't bring " + remembered.getKey());
            }
            data = data.with(remembered.getKey(), value);
        }
        UUID id = SagaIds.saga(definition.name(), key);
        StepDefinition first = definition.steps().getFirst();
        Saga saga = new Saga(
                id,
                definition.name(),
                definition.version(),
                key,
                Phase.FORWARD,
                first.stateWhileWaiting(),
                null,
                first.name(),
                0,
                data,
                definition.steps().stream()
                        .map(step -> Step.of(id, step.name()))
                        .toList(),
                false,
                null,
                false,
                null,
                traceparent);
        Transition transition = of(definition, saga);
        transition.beginStep(first);
        return new Started(transition.decide(Disposition.APPLIED, "started"));
    }

    /**
     * What is to be done about an event.
     *
     * @param definition in the version that the saga has started with
     * @throws IllegalArgumentException if it is another definition
     */
    public Decision decide(SagaDefinition definition, Saga saga, SagaEvent event) {
        if (!definition.name().equals(saga.type()) || definition.version() != saga.definitionVersion()) {
            throw new IllegalArgumentException("%s goes by version %s of its definition, not by %s"
                    .formatted(saga, saga.definitionVersion(), definition));
        }
        Transition transition = of(definition, saga);
        return switch (event) {
            case StartRepeated() -> transition.decide(Disposition.DUPLICATE, "the start was repeated");
            case Reply reply -> reply(definition, saga, transition, reply);
            case ReplyUnreadable() -> unreadable(saga, transition);
            case Woken woken -> woken(definition, saga, transition, woken);
            case CancelRequested() -> cancel(definition, saga, transition);
            case Operated operated -> operated(definition, saga, transition, operated);
        };
    }

    private Transition of(SagaDefinition definition, Saga saga) {
        return new Transition(definition, saga, expressions, random);
    }

    private static Decision reply(SagaDefinition definition, Saga saga, Transition transition, Reply reply) {
        Optional<Step> answered = saga.steps().stream()
                .filter(step -> reply.commandId()
                        .equals(
                                switch (reply.direction()) {
                                    case DO -> step.forwardCommandId();
                                    case UNDO -> step.undoCommandId();
                                }))
                .findFirst();
        if (answered.isEmpty()) {
            return illegal(transition, "%s of a command that this saga has none of".formatted(reply.outcome()));
        }
        Step step = answered.get();
        StepDefinition defined = definition.step(step.name());
        String note = "%s of %s answered %s, attempt %s"
                .formatted(reply.direction(), step.name(), reply.outcome(), reply.attempt());
        Optional<ReplyRow> row = ReplyRow.of(
                reply.direction(), defined.kind(), saga.phase(), step.forward(), step.undo(), reply.outcome());
        if (row.isEmpty()) {
            return illegal(
                    transition, "%s, but it was %s and its undo %s".formatted(note, step.forward(), step.undo()));
        }
        switch (row.get()) {
            case DONE -> {
                if (!transition.remember(defined, reply.data())) {
                    return illegal(transition, note + ", without what the definition remembers of it");
                }
                transition.change(step.forward(ForwardStatus.SUCCEEDED, reply.data()));
                transition.afterAction(defined);
            }
            case REFUSED -> {
                transition.change(step.forward(ForwardStatus.FAILED, reply.data()));
                transition.turnBack();
            }
            // Its data is kept with the step, but not remembered: the undo that is on its way was sent without it.
            case DONE_LATE -> transition.change(step.forward(ForwardStatus.SUCCEEDED, reply.data()));
            case DONE_AFTER_ALL -> transition.undoContradiction(defined, reply.data());
            case UNDONE -> {
                transition.change(step.undo(UndoStatus.DONE, reply.data()));
                transition.goOnTurningBack();
            }
            case STANDS -> {
                if (!transition.mayStillStand(defined)) {
                    return illegal(transition, note + ", but the saga has gone back too far to go forward again");
                }
                if (!transition.remember(defined, reply.data())) {
                    return illegal(transition, note + ", without what the definition remembers of it");
                }
                transition.stand(defined, reply.data());
            }
            case NOT_THIS_TIME,
                    RETRIABLE_REFUSED,
                    DONE_AGAIN,
                    REFUSED_AGAIN,
                    NOT_THAT_TIME,
                    NOT_DONE_LATE,
                    OVERTAKEN,
                    NOT_UNDONE_THIS_TIME,
                    ANSWERED_BEFORE,
                    STANDS_AGAIN,
                    NOT_UNDONE_THAT_TIME -> {
                // Noted, and nothing else: where more is to be done, the timer does it.
            }
        }
        return transition.decide(row.get().disposition(), note);
    }

    private static Decision illegal(Transition transition, String note) {
        transition.raise(Attention.ILLEGAL_REPLY);
        return transition.decide(Disposition.ILLEGAL, note);
    }

    private static Decision unreadable(Saga saga, Transition transition) {
        transition.raise(Attention.UNREADABLE_REPLY);
        if (saga.phase() != Phase.ENDED) {
            transition.park();
        }
        return transition.decide(Disposition.POISON, "an answer couldn't be read");
    }

    private static Decision woken(SagaDefinition definition, Saga saga, Transition transition, Woken woken) {
        if (saga.phase() == Phase.ENDED || saga.parked()) {
            transition.wakeNever();
            return transition.decide(Disposition.STALE, "woken with nothing to wait for");
        }
        Optional<Duration> stillToWait = transition.stillToWait(woken);
        if (stillToWait.isPresent()) {
            transition.wakeAfter(stillToWait.get());
            return transition.decide(
                    Disposition.REARMED,
                    woken.lastSent().isEmpty() ? "its last message has not left yet" : "its last message left late");
        }
        if (saga.phase() == Phase.COMPENSATING) {
            transition.resendUndos();
            return transition.decide(Disposition.RESENT, "undo sent again");
        }
        StepDefinition step = definition.step(transition.current());
        if (woken.backlog()) {
            transition.wakeAfter(step.timeout().after());
            return transition.decide(Disposition.HELD, "no answer from %s, which is behind".formatted(step.name()));
        }
        if (!transition.hasAttemptsLeft() && transition.turnsBackByItself()) {
            transition.turnBackInDoubt();
            return transition.decide(Disposition.TIMED_OUT, "no answer from %s".formatted(step.name()));
        }
        transition.sendAction(step);
        return transition.decide(Disposition.RESENT, "no answer from %s, sent again".formatted(step.name()));
    }

    private static Decision cancel(SagaDefinition definition, Saga saga, Transition transition) {
        if (saga.cancelRequested() || saga.outcome() == SagaOutcome.CANCELLED) {
            return transition.decide(Disposition.DUPLICATE, "asked to turn back once more");
        }
        transition.requestCancel();
        if (transition.canTurnBack()) {
            transition.turnBackInDoubt();
            return transition.decide(Disposition.APPLIED, "asked to turn back");
        }
        if (saga.phase() == Phase.COMPENSATING) {
            return transition.decide(Disposition.DUPLICATE, "asked to turn back, which it does already");
        }
        if (saga.phase() == Phase.FORWARD
                && definition.step(transition.current()).kind() == StepKind.PIVOT) {
            return transition.decide(
                    Disposition.RETRY_LATER, "asked to turn back: the answer of the pivot will say whether it can");
        }
        transition.tellThatItCannotBeCancelled();
        return transition.decide(Disposition.CANNOT_BE_CANCELLED, "asked to turn back too late");
    }

    private static Decision operated(SagaDefinition definition, Saga saga, Transition transition, Operated operated) {
        Disposition disposition = switch (operated.verb()) {
            case Verb.RetryNow() -> retryNow(definition, saga, transition);
            case Verb.Park() -> park(saga, transition);
            case Verb.Unpark() -> unpark(saga, transition);
            case Verb.Compensate() -> compensate(saga, transition);
            case Verb.MarkUndone(String step, String evidence) -> markUndone(saga, transition, step);
        };
        return transition.decide(
                disposition, "%s by %s: %s".formatted(operated.verb().label(), operated.by(), operated.reason()));
    }

    private static Disposition retryNow(SagaDefinition definition, Saga saga, Transition transition) {
        switch (saga.phase()) {
            case FORWARD -> transition.sendAction(definition.step(transition.current()));
            case COMPENSATING -> transition.resendUndos();
            case ENDED -> {
                return Disposition.NOT_APPLICABLE;
            }
        }
        return Disposition.RESENT;
    }

    private static Disposition park(Saga saga, Transition transition) {
        if (saga.phase() == Phase.ENDED) {
            return Disposition.NOT_APPLICABLE;
        }
        transition.park();
        return saga.parked() ? Disposition.DUPLICATE : Disposition.APPLIED;
    }

    /** On a saga that has ended, too: else what has asked for attention after the end would ask for ever. */
    private static Disposition unpark(Saga saga, Transition transition) {
        if (!saga.parked() && saga.attention() == null) {
            return Disposition.DUPLICATE;
        }
        transition.unpark();
        return Disposition.APPLIED;
    }

    private static Disposition compensate(Saga saga, Transition transition) {
        if (saga.phase() == Phase.COMPENSATING) {
            return Disposition.DUPLICATE;
        }
        if (!transition.canTurnBack()) {
            return Disposition.NOT_APPLICABLE;
        }
        transition.turnBackInDoubt();
        return Disposition.APPLIED;
    }

    private static Disposition markUndone(Saga saga, Transition transition, String name) {
        Optional<Step> step = saga.find(name);
        if (step.isEmpty()) {
            return Disposition.NOT_APPLICABLE;
        }
        return switch (step.get().undo()) {
            case PENDING -> {
                transition.change(step.get().undo(UndoStatus.MANUAL, step.get().undoReply()));
                transition.goOnTurningBack();
                yield Disposition.APPLIED;
            }
            case DONE, MANUAL -> Disposition.DUPLICATE;
            case NONE, REFUSED -> Disposition.NOT_APPLICABLE;
        };
    }
}
