package com.finedge.once.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * How far a redrive is.
 *
 * @param id names it, until the process ends
 * @param verdicts letters by {@link Verdict#word}: what was done with them, or would be by a dry run
 * @param changed letters whose claim changed between the look and the act, which stay for the next run
 * @param failed letters that something failed for, which stay for the next run
 * @param skipped letters that the filter doesn't mean
 * @param left letters still to come, about; those that stay are no part of it
 * @param perSecond letters handled a second so far
 * @param timeLeft how long the rest will take, about; none while nothing is known
 * @param trouble why it has ended early, or what failed last: no personal data
 */
public record RedriveProgress(
        String id,
        Status status,
        RedriveOrder order,
        Instant startedAt,
        Instant at,
        SortedMap<String, Long> verdicts,
        long changed,
        long failed,
        long skipped,
        long left,
        double perSecond,
        @Nullable Duration timeLeft,
        @Nullable String trouble) {

    /** Where it stands. */
    public enum Status {
        RUNNING,
        /** It has been through all letters. */
        FINISHED,
        /** Somebody has cancelled it, or the process was stopped. */
        CANCELLED,
        /** It has given up: see the trouble. */
        FAILED
    }

    /** How many letters it has dealt with. */
    public long handled() {
        return verdicts.values().stream().mapToLong(Long::longValue).sum() + changed + failed;
    }

    /** Whether it is over. */
    public boolean isOver() {
        return status != Status.RUNNING;
    }
}
