package com.finedge.once.saga;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.saga.SagaEvent.Operated;
import com.finedge.once.saga.SagaEvent.Reply;
import com.finedge.once.saga.SagaEvent.Verb;
import com.finedge.once.saga.SagaEvent.Woken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One saga among participants that keep their protocol, over queues that lose, repeat and reorder, with timers that
 * fire early and late. Judged at every transition, and once more after everything has calmed down.
 */
final class Walk {

    /** What may go wrong beside what queues do. */
    enum Trouble {
        /** Participants don't keep a tombstone: an undo leaves nothing behind. */
        NO_TOMBSTONES,
        /** Sagas take a timeout for a refusal: what wasn't answered wasn't done. */
        TIMEOUTS_ARE_REFUSALS,
        /** A participant does what it has refused before. */
        CONTRADICTIONS,
        /** Participants answer anything at all. */
        NONSENSE,
        /** Operators act. */
        OPERATORS
    }

    /** The ones that no protocol could survive: each takes a rule away, and must be found out. */
    static final Set<Trouble> MUTANTS =
            Collections.unmodifiableSet(EnumSet.of(Trouble.NO_TOMBSTONES, Trouble.TIMEOUTS_ARE_REFUSALS));

    private static final Duration LONG_AGO = Duration.ofHours(1);

    /** What a participant has recorded of one step: one row, so that doing and undoing can't pass each other. */
    private static final class Operation {
        private @Nullable ReplyOutcome done;
        private @Nullable ReplyOutcome undone;
        private int effects;
        private int undoneEffects;
        private boolean contradicted;
    }

    private final SagaDefinition definition;
    private final Random random;
    private final Set<Trouble> troubles;
    private final Transitions transitions;
    private final double refusals;
    private final Map<String, Operation> operations = new HashMap<>();
    private final List<Command> commands = new ArrayList<>();
    private final List<Reply> replies = new ArrayList<>();
    private final Map<UUID, Command> firstOf = new HashMap<>();
    private final Set<String> messages = new HashSet<>();
    private final List<String> undos = new ArrayList<>();
    private final List<Fact> facts = new ArrayList<>();
    private final Set<Disposition> dispositions = new TreeSet<>();
    private boolean calm;
    private boolean wakes;
    private Saga saga;

    Walk(SagaDefinition definition, long seed, Set<Trouble> troubles) {
        this.definition = definition;
        this.random = new Random(seed);
        this.troubles = troubles;
        refusals = random.nextInt(4) * 0.15;
        transitions = new Transitions(new PlainExpressions(), random);
        definition.steps().forEach(step -> operations.put(step.name(), new Operation()));
        Decision start = Orders.started(definition);
        saga = start.saga();
        apply(start);
    }

    /** Goes on for a while in the worst of weathers, then in calm until the saga has ended. */
    Walk walk() {
        int turns = 5 + random.nextInt(120);
        for (int i = 0; i < turns; i++) {
            turn();
        }
        calm = true;
        for (int i = 0; i < 2_000 && !(saga.phase() == Phase.ENDED && commands.isEmpty() && replies.isEmpty()); i++) {
            calmTurn();
        }
        judgeTheEnd();
        return this;
    }

    Saga saga() {
        return saga;
    }

    Set<Disposition> dispositions() {
        return dispositions;
    }

    private void turn() {
        int what = random.nextInt(100);
        if (what < 35) {
            deliverCommand();
        } else if (what < 70) {
            deliverReply();
        } else if (what < 90) {
            if (wakes) {
                Optional<Duration> lastSent = random.nextInt(10) == 0
                        ? Optional.empty()
                        : Optional.of(random.nextInt(5) == 0 ? Duration.ofSeconds(random.nextInt(200)) : LONG_AGO);
                decide(new Woken(lastSent, random.nextInt(10) == 0));
            }
        } else if (what < 92) {
            decide(new SagaEvent.CancelRequested());
        } else if (what < 93) {
            decide(new SagaEvent.StartRepeated());
        } else if (troubles.contains(Trouble.OPERATORS)) {
            decide(operator());
        } else if (troubles.contains(Trouble.NONSENSE)) {
            decide(nonsense());
        }
    }

    private void calmTurn() {
        if (!commands.isEmpty()) {
            deliverCommand();
        } else if (!replies.isEmpty()) {
            deliverReply();
        } else if (saga.parked()) {
            decide(new Operated(new Verb.Unpark(), "op", "calm again"));
        } else if (wakes) {
            decide(new Woken(Optional.of(LONG_AGO), false));
        }
    }

    private SagaEvent operator() {
        String step = definition
                .steps()
                .get(random.nextInt(definition.steps().size()))
                .name();
        return switch (random.nextInt(6)) {
            case 0 -> new Operated(new Verb.RetryNow(), "op", "why not");
            case 1 -> new Operated(new Verb.Park(), "op", "wait");
            case 2 -> new Operated(new Verb.Unpark(), "op", "go");
            case 3 -> new Operated(new Verb.Compensate(), "op", "back");
            case 4 -> new SagaEvent.ReplyUnreadable();
            default -> {
                // Whoever marks a step undone has undone it.
                Step recorded = saga.step(step);
                if (recorded.undo() == UndoStatus.PENDING) {
                    Operation operation = operation(step);
                    undoEffect(operation);
                    operation.undone = ReplyOutcome.SUCCEEDED;
                }
                yield new Operated(new Verb.MarkUndone(step, "letter"), "op", "by hand");
            }
        };
    }

    private SagaEvent nonsense() {
        Step step = saga.steps().get(random.nextInt(saga.steps().size()));
        ReplyOutcome outcome = random.nextBoolean() ? ReplyOutcome.CANNOT_UNDO : ReplyOutcome.TOMBSTONED;
        return switch (random.nextInt(3)) {
            case 0 -> new Reply(new UUID(1, 1), Direction.DO, 1, outcome, SagaData.EMPTY);
            case 1 -> new Reply(step.forwardCommandId(), Direction.UNDO, 1, outcome, SagaData.EMPTY);
            // A success that doesn't say what it should.
            default -> new Reply(step.forwardCommandId(), Direction.DO, 9, ReplyOutcome.CANNOT_UNDO, SagaData.EMPTY);
        };
    }

    // Participants

    private void deliverCommand() {
        if (commands.isEmpty()) {
            return;
        }
        int index = random.nextInt(commands.size());
        Command command = commands.get(index);
        boolean again = !calm && random.nextInt(5) == 0;
        if (!again) {
            commands.remove(index);
        }
        if (!calm && !again && random.nextInt(8) == 0) {
            return;
        }
        ReplyOutcome outcome = handle(command);
        replies.add(new Reply(command.commandId(), command.direction(), command.attempt(), outcome, Orders.ANSWER));
    }

    private ReplyOutcome handle(Command command) {
        Operation operation = operation(command.step());
        StepDefinition step = definition.step(command.step());
        if (!calm && random.nextInt(6) == 0) {
            return ReplyOutcome.FAILED_TRANSIENT;
        }
        return switch (command.direction()) {
            case DO -> {
                if (operation.undone == ReplyOutcome.SUCCEEDED) {
                    yield ReplyOutcome.TOMBSTONED;
                }
                if (operation.done == ReplyOutcome.REFUSED
                        && troubles.contains(Trouble.CONTRADICTIONS)
                        && step.kind() != StepKind.RETRIABLE) {
                    operation.done = null;
                    operation.contradicted = true;
                }
                if (operation.done == null) {
                    boolean refuses = step.kind() != StepKind.RETRIABLE
                            && !operation.contradicted
                            && random.nextDouble() < refusals;
                    operation.done = refuses ? ReplyOutcome.REFUSED : ReplyOutcome.SUCCEEDED;
                    operation.effects += refuses ? 0 : 1;
                }
                yield operation.done;
            }
            case UNDO -> {
                if (operation.undone != null) {
                    yield operation.undone;
                }
                if (operation.done != ReplyOutcome.SUCCEEDED) {
                    if (!troubles.contains(Trouble.NO_TOMBSTONES)) {
                        operation.undone = ReplyOutcome.SUCCEEDED;
                    }
                    yield ReplyOutcome.SUCCEEDED;
                }
                if (step.kind() == StepKind.PIVOT && random.nextInt(3) == 0 && !operation.contradicted) {
                    operation.undone = ReplyOutcome.CANNOT_UNDO;
                } else {
                    undoEffect(operation);
                    operation.undone = ReplyOutcome.SUCCEEDED;
                }
                yield operation.undone;
            }
        };
    }

    private static void undoEffect(Operation operation) {
        if (operation.effects > operation.undoneEffects) {
            operation.undoneEffects++;
        }
    }

    private Operation operation(String step) {
        Operation operation = operations.get(step);
        if (operation == null) {
            throw new AssertionError(step);
        }
        return operation;
    }

    // The saga

    private void deliverReply() {
        if (replies.isEmpty()) {
            return;
        }
        int index = random.nextInt(replies.size());
        Reply reply = replies.get(index);
        boolean again = !calm && random.nextInt(5) == 0;
        if (!again) {
            replies.remove(index);
        }
        if (!calm && !again && random.nextInt(8) == 0 && !isContradiction(reply)) {
            return;
        }
        decide(reply);
    }

    /** Nobody asks again for the answer of a step that was refused: if it were lost, nobody could know of it. */
    private boolean isContradiction(Reply reply) {
        return saga.steps().stream()
                .anyMatch(step ->
                        step.forwardCommandId().equals(reply.commandId()) && operation(step.name()).contradicted);
    }

    private void decide(SagaEvent event) {
        Saga before = saga;
        Decision decision = transitions.decide(definition, before, event);
        if (decision.disposition() == Disposition.TIMED_OUT && troubles.contains(Trouble.TIMEOUTS_ARE_REFUSALS)) {
            decision = transitions.decide(definition, before, refusalOfCurrentStep());
        }
        judge(before, event, decision);
        saga = decision.saga();
        apply(decision);
    }

    private Reply refusalOfCurrentStep() {
        Step current = saga.step(Objects.requireNonNull(saga.currentStep()));
        return new Reply(
                current.forwardCommandId(),
                Direction.DO,
                current.forwardAttempts(),
                ReplyOutcome.REFUSED,
                SagaData.EMPTY);
    }

    private void apply(Decision decision) {
        dispositions.add(decision.disposition());
        wakes = switch (decision.wakeUp()) {
            case WakeUp.Unchanged() -> wakes;
            case WakeUp.Never() -> false;
            case WakeUp.After(Duration delay) -> {
                assertThat(delay).isGreaterThanOrEqualTo(Duration.ZERO);
                yield true;
            }
        };
        assertThat(wakes)
                .as("%s has a time to wake, or needs none", saga)
                .isEqualTo(saga.phase() != Phase.ENDED && !saga.parked());
        for (Command command : decision.commands()) {
            assertThat(messages.add(command.messageId()))
                    .as("message %s is new", command.messageId())
                    .isTrue();
            Command first = firstOf.putIfAbsent(command.commandId(), command);
            if (first != null) {
                assertThat(command.attempt()).isGreaterThan(first.attempt());
                assertThat(command.data()).isEqualTo(first.data());
                assertThat(command.type()).isEqualTo(first.type());
            } else if (command.direction() == Direction.UNDO) {
                undos.add(command.step());
            }
            commands.add(command);
        }
        decision.facts()
                .forEach(fact -> assertThat(messages.add(fact.messageId()))
                        .as("fact %s is told once", fact)
                        .isTrue());
        facts.addAll(decision.facts());
    }

    private void judge(Saga before, SagaEvent event, Decision decision) {
        Saga after = decision.saga();
        String what = "%s on %s".formatted(event, before);
        assertThat(after.version()).isEqualTo(before.version() + 1);
        boolean forwardAgain = before.phase() != Phase.FORWARD && after.phase() == Phase.FORWARD;
        boolean completedAgain = before.phase() == Phase.COMPENSATING && after.outcome() == SagaOutcome.COMPLETED;
        if (forwardAgain || completedAgain) {
            assertThat(decision.disposition()).as(what).isEqualTo(Disposition.PIVOT_STANDS);
        }
        if (before.phase() == Phase.ENDED && after.phase() != Phase.ENDED) {
            assertThat(decision.disposition()).as(what).isEqualTo(Disposition.CONTRADICTION);
        }
        for (Command command : decision.commands()) {
            Step recorded = before.step(command.step());
            if (command.direction() == Direction.UNDO) {
                assertThat(recorded.undo()).as(what).isIn(UndoStatus.NONE, UndoStatus.PENDING);
            } else {
                assertThat(after.phase()).as(what).isEqualTo(Phase.FORWARD);
                assertThat(recorded.forward()).as(what).isIn(ForwardStatus.NOT_STARTED, ForwardStatus.PENDING);
                assertThat(after.steps().subList(0, definition.indexOf(command.step())))
                        .as(what)
                        .allMatch(earlier -> earlier.forward() == ForwardStatus.SUCCEEDED);
            }
        }
        if (after.outcome() == SagaOutcome.CANCELLED) {
            assertThat(after.steps()).as(what).allSatisfy(step -> {
                if (step.mayBeDone() && definition.step(step.name()).undo() != null) {
                    assertThat(step.undo()).isIn(UndoStatus.DONE, UndoStatus.MANUAL);
                }
            });
        }
    }

    private void judgeTheEnd() {
        assertThat(saga.phase()).as("%s ends once all is calm", saga).isEqualTo(Phase.ENDED);
        assertThat(saga.announced()).isNotNull();
        assertThat(facts.stream().map(Fact::type).filter(Predicate.not("OrderCannotBeCancelled.v1"::equals)))
                .as("one final event")
                .hasSize(1);
        Map<SagaOutcome, String> told = new EnumMap<>(SagaOutcome.class);
        told.put(SagaOutcome.COMPLETED, "OrderCompleted.v1");
        told.put(SagaOutcome.CANCELLED, "OrderCancelled.v1");
        assertThat(facts).extracting(Fact::type).contains(told.get(saga.announced()));
        List<Integer> order = undos.stream()
                .filter(step -> !operation(step).contradicted)
                .map(definition::indexOf)
                .toList();
        assertThat(order).as("undone in reverse: %s", undos).isSortedAccordingTo((a, b) -> Integer.compare(b, a));
        operations.forEach((step, operation) -> {
            if (saga.outcome() == SagaOutcome.COMPLETED) {
                assertThat(operation.effects).as("%s was done", step).isEqualTo(1);
                assertThat(operation.undoneEffects).as("%s was undone", step).isZero();
            } else {
                assertThat(operation.effects).as("%s was done once", step).isLessThanOrEqualTo(1);
                assertThat(operation.undoneEffects)
                        .as("what was done of %s was undone", step)
                        .isEqualTo(operation.effects);
            }
        });
    }
}
