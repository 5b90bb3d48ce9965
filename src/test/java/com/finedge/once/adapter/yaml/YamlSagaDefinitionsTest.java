package com.finedge.once.adapter.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.finedge.once.saga.DefinitionProblem;
import com.finedge.once.saga.DefinitionRule;
import com.finedge.once.saga.InvalidDefinitionException;
import com.finedge.once.saga.SagaDefinition;
import com.finedge.once.saga.StepKind;
import com.finedge.once.saga.Timeout;
import com.finedge.once.saga.Timeout.Then;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlSagaDefinitionsTest {

    private static final Path SAGAS = Path.of("src/test/resources/sagas");
    private static final Path SHIPPED = Path.of("src/main/resources/sagas");
    private static final Path BAD = SAGAS.resolve("bad");
    private static final Set<String> QUEUES =
            Set.of("parcels", "parcel-events", "scale-commands", "stamp-commands", "van-commands");

    private static SagaDefinition read(Path file) {
        try {
            return YamlSagaDefinitions.read(file.getFileName().toString(), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that a start looks at: the file alone, the queues that there are, and what was published before. */
    private static List<DefinitionProblem> problemsOf(Path file) {
        try {
            SagaDefinition definition = read(file);
            List<DefinitionProblem> problems = new ArrayList<>(definition.unknownQueues(QUEUES::contains));
            if (file.getFileName().toString().startsWith("version-")) {
                problems.addAll(definition.changesSince(
                        read(SAGAS.resolve("parcels.yaml")).checksum()));
            }
            return problems;
        } catch (InvalidDefinitionException e) {
            return e.problems();
        }
    }

    private static Stream<Path> below(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    static Stream<Arguments> badDefinitions() {
        return Stream.of(
                bad("form-typo", "stamp", DefinitionRule.FORM, "resends of timeout is not known"),
                bad("form-number", "weigh", DefinitionRule.FORM, "parcelId of data must be a text"),
                bad("form-kind", "deliver", DefinitionRule.FORM, "must be one of [compensatable, pivot, retriable]"),
                bad("form-duplicate", null, DefinitionRule.FORM, "found duplicate key version"),
                bad("form-no-action", "deliver", DefinitionRule.FORM, "do of the step is missing"),
                bad("names", "weigh it", DefinitionRule.NAMES, "the name must match"),
                bad("step-names-unique", "weigh", DefinitionRule.STEP_NAMES_UNIQUE, "another step of this name"),
                bad("states-unique", "stamp", DefinitionRule.STATES_UNIQUE, "WEIGH_PENDING says something else"),
                bad("one-pivot", "stamp", DefinitionRule.ONE_PIVOT, "weigh is it"),
                bad(
                        "nothing-compensatable-after-the-pivot",
                        "deliver",
                        DefinitionRule.NOTHING_COMPENSATABLE_AFTER_THE_PIVOT,
                        "after the pivot stamp"),
                bad("retriable-steps-last", "weigh", DefinitionRule.RETRIABLE_STEPS_LAST, "when stamp fails"),
                bad("undo-declared", "weigh", DefinitionRule.UNDO_DECLARED, "undo: none"),
                bad(
                        "no-undo-of-a-retriable-step",
                        "deliver",
                        DefinitionRule.NO_UNDO_OF_A_RETRIABLE_STEP,
                        "never undone"),
                bad("undo-computable-reply", "stamp", DefinitionRule.UNDO_COMPUTABLE, "${reply.stampId} is unknown"),
                bad(
                        "undo-computable-remembered",
                        "stamp",
                        DefinitionRule.UNDO_COMPUTABLE,
                        "${data.stampId} is unknown"),
                bad("timeout-present", "weigh", DefinitionRule.TIMEOUT_PRESENT, "timeout with after"),
                bad("timeout-fits", "deliver", DefinitionRule.TIMEOUT_FITS, "only then: hold"),
                bad("timeout-fits-nothing", "weigh", DefinitionRule.TIMEOUT_FITS, "longer than nothing"),
                bad("expressions-readable", "stamp", DefinitionRule.EXPRESSIONS_READABLE, "${bean:scale?method=grams}"),
                bad("expressions-known", "weigh", DefinitionRule.EXPRESSIONS_KNOWN, "${data.stampId} isn't among"),
                bad("remembered-once", "stamp", DefinitionRule.REMEMBERED_ONCE, "grams is remembered already"),
                bad("queue-known", "deliver", DefinitionRule.QUEUE_KNOWN, "no queue vans-commands"),
                bad("version-immutable", null, DefinitionRule.VERSION_IMMUTABLE, "make this version 2"));
    }

    private static Arguments bad(String name, @Nullable String step, DefinitionRule rule, String text) {
        return Arguments.of(name, step, rule, text);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badDefinitions")
    void aBadDefinitionIsFoundWithFileStepAndRuleAndNothingElse(
            String name, @Nullable String step, DefinitionRule rule, String text) {
        String file = name + ".yaml";

        assertThat(problemsOf(BAD.resolve(file))).singleElement().satisfies(problem -> {
            assertThat(problem.source()).isEqualTo(file);
            assertThat(problem.step()).isEqualTo(step);
            assertThat(problem.rule()).isEqualTo(rule);
            assertThat(problem.text()).contains(text);
            assertThat(problem.toString()).startsWith(step == null ? file + ": " : file + ", step " + step + ": ");
        });
    }

    @Test
    void eachRuleHasItsBadDefinition() throws IOException {
        assertThat(badDefinitions().map(bad -> bad.get()[2])).containsAll(EnumSet.allOf(DefinitionRule.class));
        assertThat(below(BAD).map(file -> file.getFileName().toString()))
                .containsExactlyInAnyOrderElementsOf(
                        badDefinitions().map(bad -> bad.get()[0] + ".yaml").toList());
    }

    @Test
    void theGoodOneThatTheyAreMadeFromHasNoProblem() {
        assertThat(problemsOf(SAGAS.resolve("parcels.yaml"))).isEmpty();
    }

    @Test
    void whatIsSaidNothingOfHasItsDefault() {
        SagaDefinition parcels = read(SAGAS.resolve("parcels.yaml"));

        assertThat(parcels.step("weigh").timeout()).isEqualTo(new Timeout(Duration.ofMinutes(1), 3, Then.HOLD));
        assertThat(parcels.step("weigh").stateWhileWaiting()).isEqualTo("WEIGH_PENDING");
        assertThat(parcels.step("weigh").stateWhileUndoing()).isEqualTo("WEIGH_UNDO_PENDING");
        assertThat(parcels.step("weigh").undo()).isNull();
        assertThat(parcels.step("stamp").kind()).isEqualTo(StepKind.PIVOT);
        assertThat(parcels.step("stamp").timeout()).isEqualTo(new Timeout(Duration.ofMinutes(1), 2, Then.COMPENSATE));
        assertThat(parcels.cancelType()).isNull();
    }

    @Test
    void theFilesThatShipAreNamedAsTheirSagaAndVersion() throws IOException {
        assertThat(below(SHIPPED)).isNotEmpty().allSatisfy(file -> {
            SagaDefinition definition = read(file);
            assertThat(file.getFileName()).hasToString(definition.name() + ".v" + definition.version() + ".yaml");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "- a",
                "saga: [",
                "a: &x [1]\nb: [*x, *x]",
                "!!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[]]]",
                "!!java.util.Date 2020-01-01",
                "steps: 1",
                "steps: [1, {name: 2}, {name: a, do: x, remember: 3, undo: some, timeout: {after: 5, resend: x}}]",
                "1: 2"
            })
    void anythingElseIsAProblemAndNoOtherException(String yaml) {
        assertThatExceptionOfType(InvalidDefinitionException.class)
                .isThrownBy(() -> YamlSagaDefinitions.read("some.yaml", yaml))
                .satisfies(e -> assertThat(e.problems())
                        .isNotEmpty()
                        .allSatisfy(problem -> assertThat(problem.rule()).isEqualTo(DefinitionRule.FORM)));
    }

    @Test
    void aValueMayHaveADefault() throws IOException {
        String yaml = Files.readString(SAGAS.resolve("parcels.yaml"))
                .replace("grams: ${reply.grams}", "grams:\n        value: ${reply.grams}\n        otherwise: unknown");

        assertThat(YamlSagaDefinitions.read("some.yaml", yaml)
                        .step("weigh")
                        .remember()
                        .values())
                .extracting("otherwise")
                .isEqualTo(Arrays.asList("unknown"));
    }
}
