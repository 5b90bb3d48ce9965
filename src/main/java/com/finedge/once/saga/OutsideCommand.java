package com.finedge.once.saga;

import com.finedge.once.saga.Participant.Answered;
import com.finedge.once.saga.Participant.Answers;
import com.finedge.once.saga.Participant.MovedOnException;
import com.finedge.once.saga.Participant.Ordered;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One delivery of a command for a step whose effect is outside the database.
 *
 * <ol>
 *   <li>A first transaction looks at the step. Where nobody has to be asked the command ends as any other. Where somebody
 *       else has the step it is left for later. Otherwise it is recorded as started, with an owner and a lease.
 *   <li>Without transaction and lock: an action is asked for by the step's key. An undo asks what is known by that key, and
 *       where it is done asks for it to be undone. An action that finds itself undone does the same: its earlier call may
 *       have come after the undo had asked.
 *   <li>A last transaction records the answer, if the step is still this owner's. If it isn't, all begins anew.
 * </ol>
 *
 * <p>An undo believes that nothing is known only when no call can be under way any more: not before the lease of the last
 * one has ended, also where its caller has given up.
 */
final class OutsideCommand {

    private static final Logger log = LoggerFactory.getLogger(OutsideCommand.class);

    private final Participant participant;
    private final ParticipantStore store;
    private final InstantSource clock;
    private final Supplier<UUID> ids;
    private final Duration lease;
    private final Ordered command;
    private final OutsideEffects effects;
    private final Answers answers;

    OutsideCommand(
            Participant participant,
            ParticipantStore store,
            InstantSource clock,
            Supplier<UUID> ids,
            Duration lease,
            Ordered command,
            OutsideEffects effects,
            Answers answers) {
        this.participant = participant;
        this.store = store;
        this.clock = clock;
        this.ids = ids;
        this.lease = lease;
        this.command = command;
        this.effects = effects;
        this.answers = answers;
    }

    /** What the first transaction has found to be done. */
    private sealed interface Plan {

        /** Nobody outside has to be asked. */
        record Conclude() implements Plan {}

        record Call(UUID owner, Instant until, boolean again) implements Plan {}

        record CallBack(UUID owner) implements Plan {}

        /** An action that is undone may have been called for after its undo had asked. */
        record TakeBack() implements Plan {}

        record Wait(Instant until) implements Plan {}
    }

    /** Whether such a command can't be answered without asking outside, or having asked. */
    static boolean concerns(Direction direction, Operation recorded) {
        return switch (direction) {
            case DO -> recorded.isUnaccountedFor();
            case UNDO ->
                recorded.undo() == null
                        && (recorded.isUnaccountedFor() || recorded.isDone())
                        && recorded.started() != null;
        };
    }

    CommandResult handle() {
        while (true) {
            try {
                return switch (store.transact(this::plan)) {
                    case Plan.Conclude() -> handled(participant.conclude(command, answers, this::conclude));
                    case Plan.Call call -> owned(call.owner, () -> call(call));
                    case Plan.CallBack(UUID owner) -> owned(owner, () -> callBack(owner));
                    case Plan.TakeBack() -> takeBack();
                    case Plan.Wait(Instant until) -> new CommandResult.InProgress(until);
                };
            } catch (MovedOnException e) {
                log.debug("{}: somebody else has got on with it, looking again", command);
            }
        }
    }

    private static CommandResult handled(Participation participation) {
        return new CommandResult.Handled(participation);
    }

    private Plan plan() {
        Operation recorded = store.lock(command.sagaId(), command.step());
        return switch (command.direction()) {
            case DO -> planAction(recorded);
            case UNDO -> planUndo(recorded);
        };
    }

    private Plan planAction(Operation recorded) {
        if (recorded.isUndone()) {
            return recorded.isUnaccountedFor() ? new Plan.TakeBack() : new Plan.Conclude();
        }
        if (recorded.forward() != null) {
            return new Plan.Conclude();
        }
        Instant now = clock.instant();
        Instant until = now.plus(lease);
        Started started = recorded.started();
        if (started != null) {
            if (started.isHeldAt(now) && started.leaseUntil() != null) {
                return new Plan.Wait(started.leaseUntil());
            }
            if (started.undoWanted()) {
                return new Plan.Wait(until);
            }
        }
        UUID owner = ids.get();
        store.start(command.sagaId(), command.step(), effects.commanded(), owner, until);
        return new Plan.Call(owner, until, started != null);
    }

    private Plan planUndo(Operation recorded) {
        Started started = recorded.started();
        if (started == null || !concerns(Direction.UNDO, recorded)) {
            return new Plan.Conclude();
        }
        store.wantUndo(command.sagaId(), command.step());
        Instant now = clock.instant();
        if (started.isHeldAt(now) && started.leaseUntil() != null) {
            return new Plan.Wait(started.leaseUntil());
        }
        if (recorded.isUnaccountedFor() && now.isBefore(started.openUntil())) {
            return new Plan.Wait(started.openUntil());
        }
        UUID owner = ids.get();
        store.takeOver(command.sagaId(), command.step(), owner, now.plus(lease));
        return new Plan.CallBack(owner);
    }

    /** An exception gives the step up, so that whoever comes next needn't wait for the lease. */
    private CommandResult owned(UUID owner, Supplier<CommandResult> work) {
        boolean ended = false;
        try {
            CommandResult result = work.get();
            ended = true;
            return result;
        } catch (MovedOnException e) {
            ended = true;
            throw e;
        } finally {
            if (!ended) {
                giveUp(owner);
            }
        }
    }

    private void giveUp(UUID owner) {
        try {
            store.release(command.sagaId(), command.step(), owner);
        } catch (RuntimeException e) {
            // What has gone wrong is told by the exception that led here.
            log.debug("{}: left to its lease", command, e);
        }
    }

    private CommandResult call(Plan.Call plan) {
        // Whoever was paused until now may have a successor. The call is to be made by one of them.
        if (!clock.instant().isBefore(plan.until)) {
            throw new MovedOnException();
        }
        OutsideAnswer answer = effects.call(command.key(Direction.DO), plan.again);
        if (answer instanceof OutsideAnswer.Nothing) {
            throw new IllegalStateException(command + ": what was asked for is done or refused, and never nothing");
        }
        Participation participation = participant.conclude(command, answers, recorded -> {
            requireOwner(recorded, plan.owner);
            Answered answered = participant.answer(command, recorded, effects.within(answer));
            requireAgreement(answer, answered.answer().outcome() == ReplyOutcome.SUCCEEDED);
            store.release(command.sagaId(), command.step(), plan.owner);
            return answered;
        });
        if (participation == Participation.DUPLICATE) {
            // Another delivery of the very message has ended while this one called: perhaps for an undone step.
            throw new MovedOnException();
        }
        return handled(participation);
    }

    private CommandResult callBack(UUID owner) {
        return switch (effects.ask(command.key(Direction.DO))) {
            case OutsideAnswer.Done done -> {
                OutsideAnswer undone = callBack(done);
                yield handled(participant.conclude(command, answers, recorded -> {
                    requireOwner(recorded, owner);
                    Operation accounted = recorded.forward() == null ? accountFor(recorded, done) : recorded;
                    Answered answered = participant.answer(command, accounted, effects.within(undone));
                    requireAgreement(undone, answered.answer().outcome() == ReplyOutcome.SUCCEEDED);
                    return answered;
                }));
            }
            case OutsideAnswer.Refused refused -> notNeeded(owner, refused);
            case OutsideAnswer.Nothing nothing -> notNeeded(owner, nothing);
        };
    }

    private OutsideAnswer callBack(OutsideAnswer.Done done) {
        OutsideAnswer undone = effects.callBack(command.key(Direction.UNDO), command.key(Direction.DO), done);
        if (undone instanceof OutsideAnswer.Nothing) {
            throw new IllegalStateException(command + ": what is done there can't be unknown there when it is undone");
        }
        return undone;
    }

    /** The action was done and its answer never recorded: it is now, and told to everyone. Its own command repeats it. */
    private Operation accountFor(Operation recorded, OutsideAnswer.Done done) {
        SagaData commanded = Objects.requireNonNull(recorded.started()).commanded();
        Answer forward = participant.act(command, () -> effects.actLate(done, commanded));
        requireAgreement(done, forward.outcome() == ReplyOutcome.SUCCEEDED);
        answers.tell(forward, null, Participant.factId(command, Direction.DO));
        return new Operation(forward, null, recorded.started());
    }

    private CommandResult notNeeded(UUID owner, OutsideAnswer answer) {
        return handled(participant.conclude(command, answers, recorded -> {
            requireOwner(recorded, owner);
            if (recorded.isDone()) {
                throw new IllegalStateException(command + ": is recorded as done, and there they say otherwise");
            }
            return participant.answer(command, recorded, effects.within(answer));
        }));
    }

    private CommandResult takeBack() {
        if (effects.ask(command.key(Direction.DO)) instanceof OutsideAnswer.Done done) {
            if (callBack(done) instanceof OutsideAnswer.Refused) {
                throw new IllegalStateException(command + ": was done after its undo, and can't be undone");
            }
            log.warn("{}: was done after its undo had asked, and is taken back", command);
        }
        return handled(participant.conclude(command, answers, this::conclude));
    }

    private Answered conclude(Operation recorded) {
        // Answers that were given stay. That nobody was asked may have changed since the first transaction.
        boolean still = command.direction() == Direction.DO
                ? recorded.isUndone() || recorded.forward() != null
                : !concerns(Direction.UNDO, recorded);
        if (!still) {
            throw new MovedOnException();
        }
        return participant.answer(command, recorded, effects.within(null));
    }

    private static void requireOwner(Operation recorded, UUID owner) {
        if (!recorded.isOwnedBy(owner)) {
            throw new MovedOnException();
        }
    }

    private void requireAgreement(OutsideAnswer outside, boolean done) {
        if (outside instanceof OutsideAnswer.Done != done) {
            throw new IllegalStateException(command + ": the answer isn't that of outside: " + outside);
        }
    }
}
