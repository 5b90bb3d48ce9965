package com.finedge.once.saga;

import com.finedge.once.saga.SagaBuilder.StepBuilder;
import com.finedge.once.saga.Template.Placeholder;
import com.finedge.once.saga.Template.Root;
import com.finedge.once.saga.Timeout.Then;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Judges a definition by all rules that it can be judged by alone, those of its expressions included. */
final class DefinitionRules {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");
    private static final Pattern TYPE = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}\\.v[1-9][0-9]{0,3}");
    private static final Pattern STATE = Pattern.compile("[A-Z][A-Z0-9_]{0,62}");
    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9_-]{1,80}");

    private final SagaBuilder saga;
    private final List<DefinitionProblem> problems = new ArrayList<>();

    DefinitionRules(SagaBuilder saga) {
        this.saga = saga;
    }

    List<DefinitionProblem> problems() {
        names();
        kinds();
        saga.steps.forEach(this::undo);
        saga.steps.forEach(this::timeout);
        remembered();
        expressions();
        return List.copyOf(problems);
    }

    private void names() {
        matching(NAME, null, "the saga's name", saga.name);
        require(saga.version > 0, null, DefinitionRule.NAMES, "versions are counted from 1");
        require(!saga.steps.isEmpty(), null, DefinitionRule.NAMES, "a saga has at least one step");
        matching(QUEUE, null, "replyTo", saga.replyTo);
        matching(TYPE, null, "the type of the message that starts it", saga.startType);
        if (saga.cancelType != null) {
            matching(TYPE, null, "the type of the message that cancels it", saga.cancelType);
        }
        message(null, "the fact that it has completed", saga.completed);
        message(null, "the fact that it was cancelled", saga.cancelled);
        message(null, "the fact that it can't be cancelled", saga.cannotBeCancelled);
        Set<String> names = new HashSet<>();
        Set<String> states = new HashSet<>(
                Arrays.stream(SagaOutcome.values()).map(SagaOutcome::name).toList());
        for (StepBuilder step : saga.steps) {
            matching(NAME, step.name, "the name", step.name);
            message(step.name, "its action", step.action);
            if (step.undo != null) {
                message(step.name, "its undo", step.undo);
            }
            if (!names.add(step.name)) {
                add(step.name, DefinitionRule.STEP_NAMES_UNIQUE, "there is another step of this name");
                // Its states are the other's too, which would only say the same again.
                continue;
            }
            for (String state : new LinkedHashSet<>(List.of(step.stateWhileWaiting, step.stateWhileUndoing))) {
                matching(STATE, step.name, "a state", state);
                require(
                        states.add(state),
                        step.name,
                        DefinitionRule.STATES_UNIQUE,
                        "the state " + state + " says something else already");
            }
            require(
                    !step.stateWhileWaiting.equals(step.stateWhileUndoing),
                    step.name,
                    DefinitionRule.STATES_UNIQUE,
                    "waiting and undoing are two states");
        }
    }

    private void message(@Nullable String step, String what, @Nullable MessageTemplate message) {
        if (message == null) {
            add(step, DefinitionRule.FORM, what + " is missing");
            return;
        }
        matching(QUEUE, step, "the queue of " + what, message.queue());
        matching(TYPE, step, "the message type of " + what, message.type());
        message.data()
                .keySet()
                .forEach(field -> require(
                        Template.isName(field),
                        step,
                        DefinitionRule.NAMES,
                        field + " can't be the name of a field: letters, digits and underscores, the first a letter"));
    }

    private void kinds() {
        @Nullable String pivot = null;
        for (int i = 0; i < saga.steps.size(); i++) {
            StepBuilder step = saga.steps.get(i);
            switch (step.kind) {
                case PIVOT -> {
                    require(
                            pivot == null,
                            step.name,
                            DefinitionRule.ONE_PIVOT,
                            "there can be one pivot, and " + pivot + " is it");
                    pivot = step.name;
                }
                case COMPENSATABLE ->
                    require(
                            pivot == null,
                            step.name,
                            DefinitionRule.NOTHING_COMPENSATABLE_AFTER_THE_PIVOT,
                            "it comes after the pivot " + pivot + ", after which nothing is undone: make it retriable");
                case RETRIABLE ->
                    saga.steps.subList(i, saga.steps.size()).stream()
                            .filter(later -> later.kind != StepKind.RETRIABLE)
                            .findFirst()
                            .ifPresent(later -> add(
                                    step.name,
                                    DefinitionRule.RETRIABLE_STEPS_LAST,
                                    "it can't be undone when " + later.name + " fails: retriable steps come last"));
            }
        }
    }

    private void undo(StepBuilder step) {
        if (step.kind == StepKind.RETRIABLE) {
            require(
                    step.undo == null,
                    step.name,
                    DefinitionRule.NO_UNDO_OF_A_RETRIABLE_STEP,
                    "a retriable step is sent until it succeeds and never undone");
        } else {
            require(
                    (step.undo != null) != step.undoesNothing,
                    step.name,
                    DefinitionRule.UNDO_DECLARED,
                    "it must say how it is undone, or undo: none");
        }
    }

    private void timeout(StepBuilder step) {
        if (step.after == null) {
            add(step.name, DefinitionRule.TIMEOUT_PRESENT, "it must say how long it waits: timeout with after");
            return;
        }
        require(
                step.after.isPositive() && step.resend >= 0,
                step.name,
                DefinitionRule.TIMEOUT_FITS,
                "after must be longer than nothing, and resend not negative");
        boolean turnsBack = step.kind == StepKind.COMPENSATABLE || (step.kind == StepKind.PIVOT && !step.undoesNothing);
        require(
                step.then == Then.HOLD || turnsBack,
                step.name,
                DefinitionRule.TIMEOUT_FITS,
                "it can't be undone, so after its attempts there is only then: hold");
    }

    private void remembered() {
        Set<String> names = new HashSet<>();
        saga.remember.keySet().forEach(name -> remembered(null, name, names));
        saga.steps.forEach(step -> step.remember.keySet().forEach(name -> remembered(step.name, name, names)));
    }

    private void remembered(@Nullable String step, String name, Set<String> names) {
        require(
                Template.isName(name),
                step,
                DefinitionRule.NAMES,
                name + " can't be remembered by: letters, digits and underscores, the first a letter");
        require(
                names.add(name),
                step,
                DefinitionRule.REMEMBERED_ONCE,
                name + " is remembered already; nothing that is remembered changes later");
    }

    /** Goes through the steps in their order with what is known by then. */
    private void expressions() {
        placeholders(null, "the key", saga.startKey).forEach(placeholder -> ofTheStart(placeholder, "the key"));
        saga.remember.forEach((name, value) ->
                placeholders(null, name, value.expression()).forEach(placeholder -> ofTheStart(placeholder, name)));
        Set<String> known = new HashSet<>(saga.remember.keySet());
        saga.steps.forEach(step -> step.remember.forEach((name, value) -> {
            if (value.otherwise() != null) {
                known.add(name);
            }
        }));
        // A cancelled saga may have done no step at all.
        data(null, saga.cancelled, known);
        data(null, saga.cannotBeCancelled, known);
        for (StepBuilder step : saga.steps) {
            data(step.name, step.action, known);
            // Before the step's own: when the undo is sent the answer may never have been seen.
            undoData(step, known);
            step.remember.forEach((name, value) -> placeholders(step.name, name, value.expression())
                    .forEach(placeholder -> ofAReply(step.name, name, placeholder, known)));
            known.addAll(step.remember.keySet());
        }
        data(null, saga.completed, known);
    }

    private void ofTheStart(Placeholder placeholder, String what) {
        require(
                placeholder.root() == Root.DATA,
                null,
                DefinitionRule.EXPRESSIONS_KNOWN,
                "%s: at the start there is nothing but ${data…}, the message's; not %s".formatted(what, placeholder));
    }

    private void ofAReply(String step, String what, Placeholder placeholder, Set<String> known) {
        if (placeholder.root() != Root.REPLY) {
            known(step, what, placeholder, known);
        }
    }

    private void data(@Nullable String step, @Nullable MessageTemplate message, Set<String> known) {
        expressionsOf(message)
                .forEach((field, expression) -> placeholders(step, field, expression)
                        .forEach(placeholder -> known(step, field, placeholder, known)));
    }

    private void undoData(StepBuilder step, Set<String> known) {
        expressionsOf(step.undo)
                .forEach((field, expression) -> placeholders(step.name, field, expression)
                        .forEach(placeholder -> {
                            if (placeholder.root() == Root.REPLY
                                    || (placeholder.root() == Root.DATA
                                            && step.remember.containsKey(
                                                    placeholder.path().getFirst())
                                            && !known.contains(
                                                    placeholder.path().getFirst()))) {
                                add(
                                        step.name,
                                        DefinitionRule.UNDO_COMPUTABLE,
                                        "%s: %s is unknown if the answer to the action was lost; use what was known before, or remember it with otherwise"
                                                .formatted(field, placeholder));
                            } else {
                                known(step.name, field, placeholder, known);
                            }
                        }));
    }

    /** One name and no more: whether there is something within a value is not known before it is there. */
    private void known(@Nullable String step, String what, Placeholder placeholder, Set<String> known) {
        boolean there = placeholder.path().size() == 1
                && switch (placeholder.root()) {
                    case DATA -> known.contains(placeholder.path().getFirst());
                    case SAGA ->
                        SagaDefinition.OWN_NAMES.contains(placeholder.path().getFirst());
                    case REPLY -> false;
                };
        require(
                there,
                step,
                DefinitionRule.EXPRESSIONS_KNOWN,
                "%s: %s isn't among what is known by then: the names remembered before, and ${saga…} with %s"
                        .formatted(
                                what,
                                placeholder,
                                SagaDefinition.OWN_NAMES.stream().sorted().toList()));
    }

    private static Map<String, String> expressionsOf(@Nullable MessageTemplate message) {
        return message == null ? Map.of() : new TreeMap<>(message.data());
    }

    private List<Placeholder> placeholders(@Nullable String step, String what, String expression) {
        try {
            return Template.of(expression).placeholders().toList();
        } catch (IllegalArgumentException e) {
            add(step, DefinitionRule.EXPRESSIONS_READABLE, what + ": " + e.getMessage());
            return List.of();
        }
    }

    private void matching(Pattern pattern, @Nullable String step, String what, String value) {
        require(
                pattern.matcher(value).matches(),
                step,
                DefinitionRule.NAMES,
                "%s must match %s: %s".formatted(what, pattern, value));
    }

    private void require(boolean kept, @Nullable String step, DefinitionRule rule, String text) {
        if (!kept) {
            add(step, rule, text);
        }
    }

    private void add(@Nullable String step, DefinitionRule rule, String text) {
        problems.add(new DefinitionProblem(saga.source, step, rule, text));
    }
}
