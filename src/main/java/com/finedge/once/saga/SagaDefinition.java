package com.finedge.once.saga;

import com.finedge.once.claim.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The steps of a saga in one version, as a team defines them; an instance keeps all rules that it can know of. */
public final class SagaDefinition {

    /** The names that an expression may use below <code>${saga…}</code>. */
    public static final Set<String> OWN_NAMES = Set.of("id", "type", "version", "businessKey");

    private final String source;
    private final String name;
    private final int version;
    private final String replyTo;
    private final Start start;
    private final @Nullable String cancelType;
    private final Facts facts;
    private final List<StepDefinition> steps;

    SagaDefinition(
            String source,
            String name,
            int version,
            String replyTo,
            Start start,
            @Nullable String cancelType,
            Facts facts,
            List<StepDefinition> steps) {
        this.source = source;
        this.name = name;
        this.version = version;
        this.replyTo = replyTo;
        this.start = start;
        this.cancelType = cancelType;
        this.facts = facts;
        this.steps = List.copyOf(steps);
    }

    /**
     * Begins a definition.
     *
     * @param name lower-case letters, digits and hyphens
     * @param version from 1
     */
    public static SagaBuilder named(String name, int version) {
        return new SagaBuilder(name, version);
    }

    /** Where it was read. */
    public String source() {
        return source;
    }

    /** The type of its sagas. */
    public String name() {
        return name;
    }

    /** From 1; sagas keep the one that they have started with. */
    public int version() {
        return version;
    }

    /** The queue that takes the answers of the participants. */
    public String replyTo() {
        return replyTo;
    }

    /** How a saga starts. */
    public Start start() {
        return start;
    }

    /** The type of the message that asks a saga to turn back, if there is one. */
    public @Nullable String cancelType() {
        return cancelType;
    }

    /** What a saga tells everyone about itself. */
    public Facts facts() {
        return facts;
    }

    /** In the order in which they are done; at least one. */
    public List<StepDefinition> steps() {
        return steps;
    }

    /** @throws IllegalArgumentException if there is no such step */
    public StepDefinition step(String step) {
        return steps.get(indexOf(step));
    }

    int indexOf(String step) {
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).name().equals(step)) {
                return i;
            }
        }
        throw new IllegalArgumentException("%s version %s has no step %s".formatted(name, version, step));
    }

    /** What it sends to or reads from that isn't a queue. */
    public List<DefinitionProblem> unknownQueues(Predicate<String> isQueue) {
        List<DefinitionProblem> problems = new ArrayList<>();
        Stream.of(
                        replyTo,
                        facts.completed().queue(),
                        facts.cancelled().queue(),
                        facts.cannotBeCancelled().queue())
                .distinct()
                .filter(Predicate.not(isQueue))
                .forEach(queue -> problems.add(problem(null, DefinitionRule.QUEUE_KNOWN, noQueue(queue))));
        for (StepDefinition step : steps) {
            MessageTemplate undo = step.undo();
            Stream.of(step.action().queue(), undo == null ? step.action().queue() : undo.queue())
                    .distinct()
                    .filter(Predicate.not(isQueue))
                    .forEach(queue -> problems.add(problem(step.name(), DefinitionRule.QUEUE_KNOWN, noQueue(queue))));
        }
        return problems;
    }

    /**
     * Whether it is still what was published as this version.
     *
     * @param published the checksum that was recorded when it was published
     */
    public List<DefinitionProblem> changesSince(Fingerprint published) {
        return published.equals(checksum())
                ? List.of()
                : List.of(problem(
                        null,
                        DefinitionRule.VERSION_IMMUTABLE,
                        "version %s of %s was published with other content, and sagas are under way by it: make this version %s"
                                .formatted(version, name, version + 1)));
    }

    /** Of all that it says, whatever the order of the fields, the comments and the file's name. */
    public Fingerprint checksum() {
        List<String> fields = new ArrayList<>(List.of("saga.1", name, Integer.toString(version), replyTo));
        fields.addAll(List.of(start.type(), start.key()));
        addRemembered(fields, start.remember());
        addOptional(fields, cancelType);
        addMessage(fields, facts.completed());
        addMessage(fields, facts.cancelled());
        addMessage(fields, facts.cannotBeCancelled());
        fields.add(Integer.toString(steps.size()));
        for (StepDefinition step : steps) {
            fields.addAll(List.of(step.name(), step.kind().name()));
            addMessage(fields, step.action());
            addRemembered(fields, step.remember());
            addMessage(fields, step.undo());
            fields.addAll(List.of(
                    step.timeout().after().toString(),
                    Integer.toString(step.timeout().resend()),
                    step.timeout().then().name(),
                    step.stateWhileWaiting(),
                    step.stateWhileUndoing()));
        }
        return Fingerprint.of(fields.toArray(String[]::new));
    }

    // Counts and marks go before what may be missing or vary in number, so that no two definitions have equal fields.

    private static void addMessage(List<String> fields, @Nullable MessageTemplate message) {
        if (message == null) {
            fields.add("-");
            return;
        }
        fields.addAll(List.of("+", message.queue(), message.type()));
        fields.add(Integer.toString(message.data().size()));
        new TreeMap<>(message.data()).forEach((field, expression) -> fields.addAll(List.of(field, expression)));
    }

    private static void addRemembered(List<String> fields, Map<String, Remembered> remember) {
        fields.add(Integer.toString(remember.size()));
        new TreeMap<>(remember).forEach((field, value) -> {
            fields.addAll(List.of(field, value.expression()));
            addOptional(fields, value.otherwise());
        });
    }

    private static void addOptional(List<String> fields, @Nullable String value) {
        fields.addAll(value == null ? List.of("-") : List.of("+", value));
    }

    private static String noQueue(String queue) {
        return "there is no queue " + queue;
    }

    private DefinitionProblem problem(@Nullable String step, DefinitionRule rule, String text) {
        return new DefinitionProblem(source, step, rule, text);
    }

    /** Definitions of equal content are equal, wherever they were read. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SagaDefinition that && checksum().equals(that.checksum());
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, version);
    }

    @Override
    public String toString() {
        return name + " version " + version + " of steps "
                + steps.stream().map(StepDefinition::name).toList();
    }
}
