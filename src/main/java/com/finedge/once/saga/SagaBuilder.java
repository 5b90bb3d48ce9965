package com.finedge.once.saga;

import com.finedge.once.saga.Timeout.Then;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a {@link SagaDefinition}, or says everything that is wrong with it. */
public final class SagaBuilder {

    final String name;
    final int version;
    final List<StepBuilder> steps = new ArrayList<>();
    final Map<String, Remembered> remember = new LinkedHashMap<>();
    String source = "a definition in Java";
    String replyTo = "";
    String startType = "";
    String startKey = "";

    @Nullable
    String cancelType;

    @Nullable
    MessageTemplate completed;

    @Nullable
    MessageTemplate cancelled;

    @Nullable
    MessageTemplate cannotBeCancelled;

    SagaBuilder(String name, int version) {
        this.name = name;
        this.version = version;
    }

    /** Where it is read, for the sentences that say what is wrong with it. */
    public SagaBuilder from(String source) {
        this.source = source;
        return this;
    }

    /** The queue that takes the answers of the participants. */
    public SagaBuilder replyTo(String queue) {
        replyTo = queue;
        return this;
    }

    /** The message that starts a saga, and the expression of its business key over <code>${data…}</code>, the message's. */
    public SagaBuilder startedBy(String type, String key) {
        startType = type;
        startKey = key;
        return this;
    }

    /** What a saga keeps of the message that starts it, by an expression over <code>${data…}</code>, the message's. */
    public SagaBuilder remember(String name, String expression) {
        return remember(name, new Remembered(expression, null));
    }

    /** The same, with a value for messages that don't bring one. */
    public SagaBuilder remember(String name, Remembered value) {
        remember.put(name, value);
        return this;
    }

    /** The message that asks a saga to turn back. */
    public SagaBuilder cancelledBy(String type) {
        cancelType = type;
        return this;
    }

    /** What is told everyone when a saga has completed. */
    public SagaBuilder completed(MessageTemplate fact) {
        completed = fact;
        return this;
    }

    /** What is told everyone when a saga has been cancelled. */
    public SagaBuilder cancelled(MessageTemplate fact) {
        cancelled = fact;
        return this;
    }

    /** What is told everyone when a saga was asked to turn back and can't any more. */
    public SagaBuilder cannotBeCancelled(MessageTemplate fact) {
        cannotBeCancelled = fact;
        return this;
    }

    /** The next step. */
    public SagaBuilder step(String name, StepKind kind, Consumer<StepBuilder> step) {
        StepBuilder builder = new StepBuilder(name, kind);
        step.accept(builder);
        steps.add(builder);
        return this;
    }

    /** @throws InvalidDefinitionException if a rule is broken */
    public SagaDefinition build() {
        List<DefinitionProblem> problems = new DefinitionRules(this).problems();
        if (!problems.isEmpty()) {
            throw new InvalidDefinitionException(problems);
        }
        return new SagaDefinition(
                source,
                name,
                version,
                replyTo,
                new Start(startType, startKey, remember),
                cancelType,
                new Facts(there(completed), there(cancelled), there(cannotBeCancelled)),
                steps.stream().map(StepBuilder::build).toList());
    }

    private static <T> T there(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the rules let a definition through that lacks a part");
        }
        return part;
    }

    /** Makes one step. */
    public static final class StepBuilder {

        final String name;
        final StepKind kind;
        final Map<String, Remembered> remember = new LinkedHashMap<>();

        @Nullable
        MessageTemplate action;

        @Nullable
        MessageTemplate undo;

        boolean undoesNothing;

        @Nullable
        Duration after;

        int resend = Timeout.USUAL_RESENDS;
        Then then = Then.HOLD;
        String stateWhileWaiting;
        String stateWhileUndoing;

        private StepBuilder(String name, StepKind kind) {
            this.name = name;
            this.kind = kind;
            String state = name.toUpperCase(Locale.ROOT).replace('-', '_');
            stateWhileWaiting = state + "_PENDING";
            stateWhileUndoing = state + "_UNDO_PENDING";
        }

        /** The command that does the step. */
        public StepBuilder action(MessageTemplate command) {
            action = command;
            return this;
        }

        /** What the saga keeps of the answer, by an expression over <code>${reply…}</code>. */
        public StepBuilder remember(String name, String expression) {
            return remember(name, new Remembered(expression, null));
        }

        /** The same, with a value to be used as long as no answer has brought one. */
        public StepBuilder remember(String name, Remembered value) {
            remember.put(name, value);
            return this;
        }

        /** The command that undoes the step. */
        public StepBuilder undo(MessageTemplate command) {
            undo = command;
            return this;
        }

        /** Says that there is nothing to undo, which nobody should have to guess. */
        public StepBuilder undoNothing() {
            undoesNothing = true;
            return this;
        }

        /** How long an attempt waits for its answer. */
        public StepBuilder timeout(Duration after) {
            this.after = after;
            return this;
        }

        /** How often the command is sent again, and what then; 3 and {@link Then#HOLD} where nothing is said. */
        public StepBuilder resend(int resend, Then then) {
            this.resend = resend;
            this.then = then;
            return this;
        }

        /** The saga's state until the action is answered; {@code <NAME>_PENDING} where nothing is said. */
        public StepBuilder stateWhileWaiting(String state) {
            stateWhileWaiting = state;
            return this;
        }

        /** The saga's state until the undo is confirmed; {@code <NAME>_UNDO_PENDING} where nothing is said. */
        public StepBuilder stateWhileUndoing(String state) {
            stateWhileUndoing = state;
            return this;
        }

        private StepDefinition build() {
            return new StepDefinition(
                    name,
                    kind,
                    there(action),
                    remember,
                    undo,
                    new Timeout(there(after), resend, then),
                    stateWhileWaiting,
                    stateWhileUndoing);
        }
    }
}
