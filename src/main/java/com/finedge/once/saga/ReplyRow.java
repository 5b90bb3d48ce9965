package com.finedge.once.saga;

import static com.finedge.once.saga.Direction.DO;
import static com.finedge.once.saga.Direction.UNDO;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * The table of what an answer does, one row a constant. An answer meets at most one row; one that meets none is {@link
 * Disposition#ILLEGAL}.
 */
enum ReplyRow {
    DONE(
            DO,
            Set.of(StepKind.values()),
            Set.of(Phase.FORWARD),
            Set.of(ForwardStatus.PENDING),
            Set.of(UndoStatus.NONE),
            Set.of(ReplyOutcome.SUCCEEDED),
            Disposition.APPLIED),

    REFUSED(
            DO,
            Set.of(StepKind.COMPENSATABLE, StepKind.PIVOT),
            Set.of(Phase.FORWARD),
            Set.of(ForwardStatus.PENDING),
            Set.of(UndoStatus.NONE),
            Set.of(ReplyOutcome.REFUSED),
            Disposition.APPLIED),

    NOT_THIS_TIME(
            DO,
            Set.of(StepKind.values()),
            Set.of(Phase.FORWARD),
            Set.of(ForwardStatus.PENDING),
            Set.of(UndoStatus.NONE),
            Set.of(ReplyOutcome.FAILED_TRANSIENT),
            Disposition.RETRY_LATER),

    /** There is no way back from here, so it is only to be tried again, by attention if need be. */
    RETRIABLE_REFUSED(
            DO,
            Set.of(StepKind.RETRIABLE),
            Set.of(Phase.FORWARD),
            Set.of(ForwardStatus.PENDING),
            Set.of(UndoStatus.NONE),
            Set.of(ReplyOutcome.REFUSED),
            Disposition.RETRY_LATER),

    DONE_AGAIN(
            DO,
            Set.of(StepKind.values()),
            Set.of(Phase.values()),
            Set.of(ForwardStatus.SUCCEEDED),
            Set.of(UndoStatus.values()),
            Set.of(ReplyOutcome.SUCCEEDED),
            Disposition.DUPLICATE),

    /** A resend is answered by what was recorded. */
    REFUSED_AGAIN(
            DO,
            Set.of(StepKind.values()),
            Set.of(Phase.values()),
            Set.of(ForwardStatus.FAILED),
            Set.of(UndoStatus.values()),
            Set.of(ReplyOutcome.REFUSED),
            Disposition.DUPLICATE),

    /** The answer to an earlier attempt, overtaken by that to a later one. */
    NOT_THAT_TIME(
            DO,
            Set.of(StepKind.values()),
            Set.of(Phase.values()),
            Set.of(ForwardStatus.SUCCEEDED, ForwardStatus.FAILED, ForwardStatus.IN_DOUBT),
            Set.of(UndoStatus.values()),
            Set.of(ReplyOutcome.FAILED_TRANSIENT),
            Disposition.STALE),

    DONE_LATE(
            DO,
            Set.of(StepKind.values()),
            Set.of(Phase.values()),
            Set.of(ForwardStatus.IN_DOUBT),
            Set.of(UndoStatus.values()),
            Set.of(ReplyOutcome.SUCCEEDED),
            Disposition.LATE_SUCCESS),

    NOT_DONE_LATE(
            DO,
            Set.of(StepKind.values()),
            Set.of(Phase.values()),
            Set.of(ForwardStatus.IN_DOUBT),
            Set.of(UndoStatus.values()),
            Set.of(ReplyOutcome.REFUSED, ReplyOutcome.TOMBSTONED),
            Disposition.LATE_FAILURE),

    /** A resent action that was overtaken by its own undo. */
    OVERTAKEN(
            DO,
            Set.of(StepKind.values()),
            Set.of(Phase.values()),
            Set.of(ForwardStatus.SUCCEEDED, ForwardStatus.FAILED),
            Set.of(UndoStatus.PENDING, UndoStatus.DONE, UndoStatus.MANUAL),
            Set.of(ReplyOutcome.TOMBSTONED),
            Disposition.STALE),

    DONE_AFTER_ALL(
            DO,
            Set.of(StepKind.COMPENSATABLE, StepKind.PIVOT),
            Set.of(Phase.COMPENSATING, Phase.ENDED),
            Set.of(ForwardStatus.FAILED),
            Set.of(UndoStatus.NONE),
            Set.of(ReplyOutcome.SUCCEEDED),
            Disposition.CONTRADICTION),

    UNDONE(
            UNDO,
            Set.of(StepKind.values()),
            Set.of(Phase.COMPENSATING),
            Set.of(ForwardStatus.values()),
            Set.of(UndoStatus.PENDING),
            Set.of(ReplyOutcome.SUCCEEDED),
            Disposition.APPLIED),

    NOT_UNDONE_THIS_TIME(
            UNDO,
            Set.of(StepKind.values()),
            Set.of(Phase.COMPENSATING),
            Set.of(ForwardStatus.values()),
            Set.of(UndoStatus.PENDING),
            Set.of(ReplyOutcome.FAILED_TRANSIENT),
            Disposition.COMPENSATION_FAILED),

    STANDS(
            UNDO,
            Set.of(StepKind.PIVOT),
            Set.of(Phase.COMPENSATING),
            Set.of(ForwardStatus.values()),
            Set.of(UndoStatus.PENDING),
            Set.of(ReplyOutcome.CANNOT_UNDO),
            Disposition.PIVOT_STANDS),

    ANSWERED_BEFORE(
            UNDO,
            Set.of(StepKind.values()),
            Set.of(Phase.values()),
            Set.of(ForwardStatus.values()),
            Set.of(UndoStatus.DONE, UndoStatus.MANUAL),
            Set.of(ReplyOutcome.values()),
            Disposition.DUPLICATE),

    STANDS_AGAIN(
            UNDO,
            Set.of(StepKind.values()),
            Set.of(Phase.values()),
            Set.of(ForwardStatus.values()),
            Set.of(UndoStatus.REFUSED),
            Set.of(ReplyOutcome.CANNOT_UNDO),
            Disposition.DUPLICATE),

    NOT_UNDONE_THAT_TIME(
            UNDO,
            Set.of(StepKind.values()),
            Set.of(Phase.values()),
            Set.of(ForwardStatus.values()),
            Set.of(UndoStatus.REFUSED),
            Set.of(ReplyOutcome.FAILED_TRANSIENT),
            Disposition.STALE);

    private final Direction direction;

    @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable
    private final Set<StepKind> kinds;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<Phase> phases;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<ForwardStatus> forwards;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<UndoStatus> undos;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<ReplyOutcome> outcomes;

    private final Disposition disposition;

    ReplyRow(
            Direction direction,
            Set<StepKind> kinds,
            Set<Phase> phases,
            Set<ForwardStatus> forwards,
            Set<UndoStatus> undos,
            Set<ReplyOutcome> outcomes,
            Disposition disposition) {
        this.direction = direction;
        this.kinds = kinds;
        this.phases = phases;
        this.forwards = forwards;
        this.undos = undos;
        this.outcomes = outcomes;
        this.disposition = disposition;
    }

    /** The row that an answer meets, if it meets one. */
    static Optional<ReplyRow> of(
            Direction direction,
            StepKind kind,
            Phase phase,
            ForwardStatus forward,
            UndoStatus undo,
            ReplyOutcome outcome) {
        return Arrays.stream(values())
                .filter(row -> row.meets(direction, kind, phase, forward, undo, outcome))
                .findFirst();
    }

    boolean meets(
            Direction direction,
            StepKind kind,
            Phase phase,
            ForwardStatus forward,
            UndoStatus undo,
            ReplyOutcome outcome) {
        return this.direction == direction
                && kinds.contains(kind)
                && phases.contains(phase)
                && forwards.contains(forward)
                && undos.contains(undo)
                && outcomes.contains(outcome);
    }

    Disposition disposition() {
        return disposition;
    }
}
