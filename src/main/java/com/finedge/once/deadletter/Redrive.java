package com.finedge.once.deadletter;

import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides what becomes of a dead letter, by its claim. A pure function: the same for a dry run, for the list and for the
 * redrive itself.
 */
public final class Redrive {

    private Redrive() {}

    /** Whether the claim leaves open what only the performer of the effect can say. */
    public static boolean needsEvidence(
            Reading reading, Optional<ClaimRecord> claim, Function<ClaimRecord, FailureKind> kinds) {
        return reading instanceof Reading.Valid valid
                && claim.filter(record -> isOf(valid, record))
                        .filter(record -> record.state() == ClaimState.FAILED)
                        .filter(record -> kinds.apply(record) == FailureKind.UNCERTAIN)
                        .isPresent();
    }

    /**
     * What is to be done.
     *
     * @param kinds says of a FAILED claim why it has failed
     * @param now the time by which a lease is judged
     */
    public static Verdict decide(
            Findings findings, Function<ClaimRecord, FailureKind> kinds, Terms terms, Instant now) {
        return switch (findings.reading()) {
            case Reading.Invalid invalid -> new Verdict.Stay(Verdict.Reason.INVALID);
            case Reading.Valid valid -> {
                Verdict verdict = findings.claim()
                        .map(record -> byClaim(valid, record, findings.evidence(), kinds, terms, now))
                        // Never claimed, or claimed so long ago that it is forgotten; what performs the effect knows
                        // its key.
                        .orElseGet(Verdict.Send::new);
                yield verdict.sends() && findings.redrives() >= Terms.MOST_REDRIVES && !terms.force()
                        ? new Verdict.Stay(Verdict.Reason.REDRIVEN_OFTEN)
                        : verdict;
            }
        };
    }

    private static Verdict byClaim(
            Reading.Valid valid,
            ClaimRecord record,
            Evidence evidence,
            Function<ClaimRecord, FailureKind> kinds,
            Terms terms,
            Instant now) {
        if (!isOf(valid, record)) {
            return new Verdict.Stay(Verdict.Reason.CONFLICT);
        }
        return switch (record.state()) {
            case DONE -> new Verdict.Delete();
            // Given back, reopened or lapsed, it is nobody's, and this letter may be all that is left of the work.
            case IN_PROGRESS ->
                record.leaseUntil().isBefore(now) ? new Verdict.Send() : new Verdict.Stay(Verdict.Reason.IN_PROGRESS);
            case FAILED ->
                switch (kinds.apply(record)) {
                    case TECHNICAL -> new Verdict.Reopen();
                    case DECIDED ->
                        terms.includeRejected() ? new Verdict.Reopen() : new Verdict.Stay(Verdict.Reason.REJECTED);
                    case UNCERTAIN -> byEvidence(evidence);
                };
        };
    }

    private static Verdict byEvidence(Evidence evidence) {
        return switch (evidence) {
            case Evidence.Happened happened -> new Verdict.Settle(happened);
            case Evidence.NotHappened no -> new Verdict.Reopen();
            case Evidence.Unsure unsure -> new Verdict.Stay(Verdict.Reason.UNCERTAIN);
            case Evidence.NotAsked notAsked -> new Verdict.Stay(Verdict.Reason.UNCERTAIN);
        };
    }

    private static boolean isOf(Reading.Valid valid, ClaimRecord record) {
        return record.fingerprint().equals(valid.fingerprint());
    }
}
