package com.finedge.once.saga;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of what an answer does, held to a second one that was written by hand from the design. */
class ReplyTableTest {

    /** A star is anything. What meets no row is illegal. */
    private static final String TABLE = """
            direction | kind                | phase              | action                    | undo                | answer               | disposition
            DO        | *                   | FORWARD            | PENDING                   | NONE                | SUCCEEDED            | APPLIED
            DO        | COMPENSATABLE,PIVOT | FORWARD            | PENDING                   | NONE                | REFUSED              | APPLIED
            DO        | RETRIABLE           | FORWARD            | PENDING                   | NONE                | REFUSED              | RETRY_LATER
            DO        | *                   | FORWARD            | PENDING                   | NONE                | FAILED_TRANSIENT     | RETRY_LATER
            DO        | *                   | *                  | SUCCEEDED                 | *                   | SUCCEEDED            | DUPLICATE
            DO        | *                   | *                  | SUCCEEDED                 | *                   | FAILED_TRANSIENT     | STALE
            DO        | *                   | *                  | SUCCEEDED                 | PENDING,DONE,MANUAL | TOMBSTONED           | STALE
            DO        | *                   | *                  | FAILED                    | *                   | REFUSED              | DUPLICATE
            DO        | *                   | *                  | FAILED                    | *                   | FAILED_TRANSIENT     | STALE
            DO        | *                   | *                  | FAILED                    | PENDING,DONE,MANUAL | TOMBSTONED           | STALE
            DO        | COMPENSATABLE,PIVOT | COMPENSATING,ENDED | FAILED                    | NONE                | SUCCEEDED            | CONTRADICTION
            DO        | *                   | *                  | IN_DOUBT                  | *                   | SUCCEEDED            | LATE_SUCCESS
            DO        | *                   | *                  | IN_DOUBT                  | *                   | REFUSED,TOMBSTONED   | LATE_FAILURE
            DO        | *                   | *                  | IN_DOUBT                  | *                   | FAILED_TRANSIENT     | STALE
            UNDO      | *                   | COMPENSATING       | *                         | PENDING             | SUCCEEDED            | APPLIED
            UNDO      | *                   | COMPENSATING       | *                         | PENDING             | FAILED_TRANSIENT     | COMPENSATION_FAILED
            UNDO      | PIVOT               | COMPENSATING       | *                         | PENDING             | CANNOT_UNDO          | PIVOT_STANDS
            UNDO      | *                   | *                  | *                         | DONE,MANUAL         | *                    | DUPLICATE
            UNDO      | *                   | *                  | *                         | REFUSED             | CANNOT_UNDO          | DUPLICATE
            UNDO      | *                   | *                  | *                         | REFUSED             | FAILED_TRANSIENT     | STALE
            """;

    record Case(
            Direction direction,
            StepKind kind,
            Phase phase,
            ForwardStatus forward,
            UndoStatus undo,
            ReplyOutcome outcome) {

        List<String> columns() {
            return Stream.of(direction, kind, phase, forward, undo, outcome)
                    .map(Enum::name)
                    .toList();
        }
    }

    private static String step(Case answer) {
        return switch (answer.kind()) {
            case COMPENSATABLE -> "payment";
            case PIVOT -> "shipping";
            case RETRIABLE -> "confirm";
        };
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Direction direction : Direction.values()) {
            for (StepKind kind : StepKind.values()) {
                for (Phase phase : Phase.values()) {
                    for (ForwardStatus forward : ForwardStatus.values()) {
                        for (UndoStatus undo : UndoStatus.values()) {
                            for (ReplyOutcome outcome : ReplyOutcome.values()) {
                                cases.add(new Case(direction, kind, phase, forward, undo, outcome));
                            }
                        }
                    }
                }
            }
        }
        return cases;
    }

    /** From the table above; two rows for one case would be a mistake of the table. */
    private static Disposition expected(Case answer) {
        List<Disposition> found = new ArrayList<>();
        for (String line : TABLE.lines().skip(1).toList()) {
            List<String> cells =
                    Arrays.stream(line.split("\\|")).map(String::trim).toList();
            boolean meets = true;
            for (int i = 0; i < 6; i++) {
                meets &= cells.get(i).equals("*")
                        || Set.of(cells.get(i).split(","))
                                .contains(answer.columns().get(i));
            }
            if (meets) {
                found.add(Disposition.valueOf(cells.get(6)));
            }
        }
        assertThat(found).as("rows of %s", answer).hasSizeLessThan(2);
        return found.isEmpty() ? Disposition.ILLEGAL : found.getFirst();
    }

    private static Saga saga(Case answer) {
        Saga started = Orders.started(Orders.DEFINITION).saga();
        String current = step(answer);
        List<Step> steps = started.steps().stream()
                .map(step -> step.name().equals(current)
                        ? new Step(
                                step.name(),
                                answer.forward(),
                                step.forwardCommandId(),
                                1,
                                null,
                                answer.undo(),
                                step.undoCommandId(),
                                1,
                                null)
                        : step)
                .toList();
        SagaData data = started.data();
        for (Map.Entry<String, Object> value : Orders.ANSWER.values().entrySet()) {
            data = data.with(value.getKey(), value.getValue());
        }
        boolean ended = answer.phase() == Phase.ENDED;
        return new Saga(
                started.id(),
                started.type(),
                started.definitionVersion(),
                started.businessKey(),
                answer.phase(),
                "ANY",
                ended ? SagaOutcome.CANCELLED : null,
                ended ? null : current,
                7,
                data,
                steps,
                false,
                null,
                false,
                null,
                null);
    }

    private static Decision decide(Case answer) {
        Saga saga = saga(answer);
        Step step = saga.step(step(answer));
        return Orders.transitions(1)
                .decide(
                        Orders.DEFINITION,
                        saga,
                        new SagaEvent.Reply(
                                answer.direction() == Direction.DO ? step.forwardCommandId() : step.undoCommandId(),
                                answer.direction(),
                                1,
                                answer.outcome(),
                                Orders.ANSWER));
    }

    @Test
    void everyAnswerMeetsAtMostOneRow() {
        assertThat(cases())
                .hasSize(2 * 3 * 3 * 5 * 5 * 5)
                .allSatisfy(answer -> assertThat(ReplyRow.values())
                        .filteredOn(row -> row.meets(
                                answer.direction(),
                                answer.kind(),
                                answer.phase(),
                                answer.forward(),
                                answer.undo(),
                                answer.outcome()))
                        .hasSizeLessThan(2));
    }

    @Test
    void everyAnswerIsDisposedOfAsTheDesignSays() {
        assertThat(cases()).allSatisfy(answer -> {
            Decision decision = decide(answer);
            assertThat(decision.disposition()).as("%s", answer).isEqualTo(expected(answer));
            assertThat(decision.saga().version()).isEqualTo(8);
        });
    }

    /** Whatever moves nothing must really move nothing: no step, no message, no time. */
    @Test
    void whatIsOnlyNotedChangesNothingElse() {
        Set<Disposition> noted = Set.of(
                Disposition.DUPLICATE,
                Disposition.STALE,
                Disposition.RETRY_LATER,
                Disposition.LATE_FAILURE,
                Disposition.COMPENSATION_FAILED,
                Disposition.ILLEGAL);
        List<Case> some = cases().stream()
                .filter(answer -> noted.contains(expected(answer)))
                .toList();

        assertThat(some).hasSizeGreaterThan(1_000).allSatisfy(answer -> {
            Saga before = saga(answer);
            Decision decision = decide(answer);
            assertThat(decision.saga().steps()).isEqualTo(before.steps());
            assertThat(decision.saga().phase()).isEqualTo(before.phase());
            assertThat(decision.saga().state()).isEqualTo(before.state());
            assertThat(decision.saga().data()).isEqualTo(before.data());
            assertThat(decision.commands()).isEmpty();
            assertThat(decision.facts()).isEmpty();
            assertThat(decision.wakeUp()).isEqualTo(new WakeUp.Unchanged());
            assertThat(decision.saga().attention())
                    .isEqualTo(decision.disposition() == Disposition.ILLEGAL ? Attention.ILLEGAL_REPLY : null);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRowIsMetBySomething(ReplyRow row) {
        assertThat(cases())
                .anyMatch(answer -> row.meets(
                        answer.direction(),
                        answer.kind(),
                        answer.phase(),
                        answer.forward(),
                        answer.undo(),
                        answer.outcome()));
    }
}
