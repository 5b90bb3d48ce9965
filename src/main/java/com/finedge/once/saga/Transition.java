package com.finedge.once.saga;

import com.finedge.once.saga.Expressions.Scope;
import com.finedge.once.saga.Timeout.Then;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One transition in the making: what a saga does, whatever has made it do it. */
final class Transition {

    /** From this attempt on an undo asks for attention, and the undos before it wait for it no longer. */
    static final int OVERDUE_ATTEMPT = 3;

    /** More of the waiting time than this must be over; the rest isn't worth another round. */
    private static final double NEARLY_OVER = 0.8;

    private final SagaDefinition definition;
    private final Saga before;
    private final Expressions expressions;
    private final RandomGenerator random;

    private final List<Step> steps;
    private final List<Command> commands = new ArrayList<>();
    private final List<Fact> facts = new ArrayList<>();
    private Phase phase;
    private String state;
    private @Nullable SagaOutcome outcome;
    private @Nullable String currentStep;
    private SagaData data;
    private boolean parked;
    private @Nullable Attention attention;
    private boolean cancelRequested;
    private @Nullable SagaOutcome announced;
    private WakeUp wakeUp = new WakeUp.Unchanged();

    Transition(SagaDefinition definition, Saga before, Expressions expressions, RandomGenerator random) {
        this.definition = definition;
        this.before = before;
        this.expressions = expressions;
        this.random = random;
        steps = new ArrayList<>(before.steps());
        phase = before.phase();
        state = before.state();
        outcome = before.outcome();
        currentStep = before.currentStep();
        data = before.data();
        parked = before.parked();
        attention = before.attention();
        cancelRequested = before.cancelRequested();
        announced = before.announced();
    }

    Decision decide(Disposition disposition, String note) {
        return new Decision(
                disposition,
                new Saga(
                        before.id(),
                        before.type(),
                        before.definitionVersion(),
                        before.businessKey(),
                        phase,
                        state,
                        outcome,
                        currentStep,
                        before.version() + 1,
                        data,
                        steps,
                        parked,
                        attention,
                        cancelRequested,
                        announced,
                        before.traceparent()),
                // Parked is parked, whatever an answer has made the saga send meanwhile.
                parked ? new WakeUp.Never() : wakeUp,
                commands,
                facts,
                note);
    }

    // Forward

    void beginStep(StepDefinition step) {
        phase = Phase.FORWARD;
        currentStep = step.name();
        state = step.stateWhileWaiting();
        sendAction(step);
    }

    /** Once the pivot has decided, whoever has asked the saga to turn back meanwhile gets an answer. */
    void afterAction(StepDefinition step) {
        if (step.kind() == StepKind.PIVOT && cancelRequested) {
            tellThatItCannotBeCancelled();
        }
        clear(Attention.NO_REPLY);
        int next = definition.indexOf(step.name()) + 1;
        if (next < definition.steps().size()) {
            beginStep(definition.steps().get(next));
        } else {
            end(SagaOutcome.COMPLETED);
        }
    }

    /** Sends the action, for the first time or again. */
    void sendAction(StepDefinition step) {
        Step sent = change(step(step.name()).forwardSent());
        send(step.action(), sent.forwardCommandId(), step.name(), Direction.DO, sent.forwardAttempts());
        wakeUp = new WakeUp.After(patience(step, sent.forwardAttempts()));
        if (isOverdue(step, sent.forwardAttempts())) {
            raise(Attention.NO_REPLY);
        }
    }

    /** How long an attempt is waited for: beyond the attempts that were planned, longer and longer. */
    private static Duration patience(StepDefinition step, int attempt) {
        Duration after = step.timeout().after();
        if (!isOverdue(step, attempt)) {
            return after;
        }
        Duration longer = SagaBackOff.after(attempt - step.timeout().resend());
        return longer.compareTo(after) > 0 ? longer : after;
    }

    private static boolean isOverdue(StepDefinition step, int attempt) {
        return attempt > step.timeout().resend() + 1;
    }

    /** Keeps what the answer to an action brings; nothing if it lacks something that later steps need. */
    boolean remember(StepDefinition step, SagaData reply) {
        SagaData more = data;
        Scope scope = new Scope(data, own(), reply);
        for (Map.Entry<String, Remembered> remembered : step.remember().entrySet()) {
            Object value = expressions.evaluate(remembered.getValue().expression(), scope);
            if (value != null) {
                more = more.with(remembered.getKey(), value);
            } else if (remembered.getValue().otherwise() == null) {
                return false;
            }
        }
        data = more;
        return true;
    }

    // Back

    boolean canTurnBack() {
        return phase == Phase.FORWARD
                && currentStep != null
                && definition.step(currentStep).canBeTurnedBackFrom();
    }

    /** Turns back from the current step: whatever was awaited of it, it may have been done. */
    void turnBackInDoubt() {
        Step current = step(current());
        change(current.forward(ForwardStatus.IN_DOUBT));
        turnBack();
    }

    void turnBack() {
        phase = Phase.COMPENSATING;
        clear(Attention.NO_REPLY);
        goOnTurningBack();
    }

    /** Sends the next undo unless one before it is still waited for; ends when none is left. */
    void goOnTurningBack() {
        for (StepDefinition step : definition.steps().reversed()) {
            Step recorded = step(step.name());
            if (recorded.undo() == UndoStatus.PENDING) {
                if (recorded.undoAttempts() < OVERDUE_ATTEMPT || mayStillStand(step)) {
                    break;
                }
            } else if (recorded.undo() == UndoStatus.NONE && recorded.mayBeDone() && step.undo() != null) {
                sendUndo(step);
                break;
            }
        }
        showFirstUndo();
        if (pendingUndos().isEmpty()) {
            end(SagaOutcome.CANCELLED);
            return;
        }
        if (pendingUndos().stream().noneMatch(step -> step.undoAttempts() >= OVERDUE_ATTEMPT)) {
            clear(Attention.UNDO_NOT_CONFIRMED);
        }
        wakeUp = new WakeUp.After(SagaBackOff.spread(undoPatience(), random));
    }

    /** Sends again all undos that aren't confirmed. */
    void resendUndos() {
        for (StepDefinition step : definition.steps().reversed()) {
            if (step(step.name()).undo() == UndoStatus.PENDING) {
                sendUndo(step);
            }
        }
        goOnTurningBack();
    }

    private void sendUndo(StepDefinition step) {
        MessageTemplate undo = step.undo();
        if (undo == null) {
            throw new IllegalStateException("step " + step.name() + " has no undo and can't have one pending");
        }
        Step sent = change(step(step.name()).undoSent());
        send(undo, sent.undoCommandId(), step.name(), Direction.UNDO, sent.undoAttempts());
        if (sent.undoAttempts() >= OVERDUE_ATTEMPT) {
            raise(Attention.UNDO_NOT_CONFIRMED);
        }
    }

    /**
     * Undoes a step that was done after it had been refused, at once: the undos before it needn't wait for it, since
     * they didn't know of it. An end that was told everyone stays told.
     */
    void undoContradiction(StepDefinition step, SagaData reply) {
        change(step(step.name()).forward(ForwardStatus.IN_DOUBT, reply));
        raise(Attention.CONTRADICTION);
        if (step.undo() == null) {
            return;
        }
        phase = Phase.COMPENSATING;
        outcome = null;
        sendUndo(step);
        showFirstUndo();
        wakeUp = new WakeUp.After(SagaBackOff.spread(undoPatience(), random));
    }

    /** Whether the saga could still go forward if this step turned out to be impossible to undo. */
    boolean mayStillStand(StepDefinition step) {
        return step.kind() == StepKind.PIVOT
                && announced == null
                && steps.stream()
                        .filter(other -> !other.name().equals(step.name()))
                        .allMatch(other -> other.undo() == UndoStatus.NONE);
    }

    /** The one way back to FORWARD. */
    void stand(StepDefinition pivot, SagaData reply) {
        Step step = step(pivot.name());
        change(step.forward(ForwardStatus.SUCCEEDED, step.forwardReply()).undo(UndoStatus.REFUSED, reply));
        clear(Attention.UNDO_NOT_CONFIRMED);
        phase = Phase.FORWARD;
        afterAction(pivot);
    }

    // Time

    /** The time that is still to be waited: counted from when the last message has left, not from when it was written. */
    Optional<Duration> stillToWait(SagaEvent.Woken woken) {
        Duration patience = phase == Phase.FORWARD
                ? patience(definition.step(current()), step(current()).forwardAttempts())
                : undoPatience();
        if (woken.lastSent().isEmpty()) {
            return Optional.of(patience);
        }
        Duration waited = woken.lastSent().get();
        return waited.toMillis() < patience.toMillis() * NEARLY_OVER
                ? Optional.of(patience.minus(waited))
                : Optional.empty();
    }

    boolean hasAttemptsLeft() {
        StepDefinition step = definition.step(current());
        return step(step.name()).forwardAttempts() <= step.timeout().resend();
    }

    boolean turnsBackByItself() {
        return definition.step(current()).timeout().then() == Then.COMPENSATE && canTurnBack();
    }

    private Duration undoPatience() {
        return SagaBackOff.after(
                pendingUndos().stream().mapToInt(Step::undoAttempts).min().orElse(1));
    }

    void wakeNever() {
        wakeUp = new WakeUp.Never();
    }

    void wakeAfter(Duration delay) {
        wakeUp = new WakeUp.After(delay);
    }

    // What is told and shown

    void end(SagaOutcome end) {
        phase = Phase.ENDED;
        outcome = end;
        state = end.name();
        currentStep = null;
        parked = false;
        clear(Attention.NO_REPLY);
        clear(Attention.UNDO_NOT_CONFIRMED);
        wakeUp = new WakeUp.Never();
        if (announced == null) {
            announced = end;
            tell(
                    "ended",
                    switch (end) {
                        case COMPLETED -> definition.facts().completed();
                        case CANCELLED -> definition.facts().cancelled();
                    });
        }
    }

    void tellThatItCannotBeCancelled() {
        tell("cannot-be-cancelled", definition.facts().cannotBeCancelled());
    }

    void requestCancel() {
        cancelRequested = true;
    }

    void park() {
        parked = true;
    }

    void unpark() {
        parked = false;
        attention = null;
        if (phase != Phase.ENDED) {
            wakeUp = new WakeUp.After(Duration.ZERO);
        }
    }

    /** What the timers have raised never hides what only a person can judge. */
    void raise(Attention reason) {
        if (attention == null || attention == Attention.NO_REPLY || attention == Attention.UNDO_NOT_CONFIRMED) {
            attention = reason;
        }
    }

    /** Forgets a reason that doesn't hold any more. */
    private void clear(Attention reason) {
        if (attention == reason) {
            attention = null;
        }
    }

    private void showFirstUndo() {
        for (StepDefinition step : definition.steps().reversed()) {
            if (step(step.name()).undo() == UndoStatus.PENDING) {
                currentStep = step.name();
                state = step.stateWhileUndoing();
                return;
            }
        }
    }

    // Steps and messages

    Step step(String name) {
        return steps.stream()
                .filter(step -> step.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("saga %s has no step %s".formatted(before.id(), name)));
    }

    Step change(Step changed) {
        steps.replaceAll(step -> step.name().equals(changed.name()) ? changed : step);
        return changed;
    }

    private List<Step> pendingUndos() {
        return steps.stream().filter(step -> step.undo() == UndoStatus.PENDING).toList();
    }

    /** The step that is waited for; there is one unless the saga has ended. */
    String current() {
        if (currentStep == null) {
            throw new IllegalStateException("saga %s is in %s without a step".formatted(before.id(), phase));
        }
        return currentStep;
    }

    private void send(MessageTemplate message, UUID commandId, String step, Direction direction, int attempt) {
        commands.add(new Command(
                SagaIds.message(commandId, attempt),
                commandId,
                step,
                direction,
                attempt,
                message.queue(),
                message.type(),
                values(message)));
    }

    private void tell(String fact, MessageTemplate message) {
        facts.add(new Fact(SagaIds.fact(before.id(), fact), message.queue(), message.type(), values(message)));
    }

    private SagaData values(MessageTemplate message) {
        Scope scope = new Scope(data, own(), SagaData.EMPTY);
        Map<String, Object> values = new HashMap<>();
        message.data().forEach((field, expression) -> {
            Object value = expressions.evaluate(expression, scope);
            if (value == null) {
                throw new IllegalStateException("saga %s lacks what %s needs for %s: its definition was never valid"
                        .formatted(before.id(), message.type(), field));
            }
            values.put(field, value);
        });
        return new SagaData(values);
    }

    private SagaData own() {
        return new SagaData(Map.of(
                "id", before.id().toString(),
                "type", definition.name(),
                "version", definition.version(),
                "businessKey", before.businessKey()));
    }
}
