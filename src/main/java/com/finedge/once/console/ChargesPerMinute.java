package com.finedge.once.console;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What became of the charges of this process in each minute of the last hour; it forgets when the process ends. */
public final class ChargesPerMinute {

    private static final int MINUTES = 60;

    /**
     * Charges that have ended.
     *
     * @param done debited
     * @param failed ended without a debit
     * @param refused messages that were no valid charge
     */
    public record Count(double done, double failed, double refused) {

        private Count less(Count other) {
            return new Count(done - other.done, failed - other.failed, refused - other.refused);
        }

        private Count plus(Count other) {
            return new Count(done + other.done, failed + other.failed, refused + other.refused);
        }

        double all() {
            return done + failed + refused;
        }
    }

    /** The minute that begins then. */
    public record Minute(Instant begin, Count count) {}

    private final InstantSource clock;
    private final Supplier<Count> totals;
    private final Deque<Minute> minutes = new ArrayDeque<>();
    private @Nullable Count before;

    /** @param totals all since the process has started */
    public ChargesPerMinute(InstantSource clock, Supplier<Count> totals) {
        this.clock = clock;
        this.totals = totals;
    }

    /** Counts what has been since it was last called, to the minute that is now; to be called often in each. */
    public synchronized void sample() {
        Count now = totals.get();
        Count since = before == null ? now : now.less(before);
        before = now;
        Instant minute = clock.instant().truncatedTo(ChronoUnit.MINUTES);
        Minute last = minutes.peekLast();
        if (last != null && last.begin().equals(minute)) {
            minutes.removeLast();
            minutes.addLast(new Minute(minute, last.count().plus(since)));
        } else {
            minutes.addLast(new Minute(minute, since));
        }
        Instant oldest = minute.minus(MINUTES - 1L, ChronoUnit.MINUTES);
        while (minutes.getFirst().begin().isBefore(oldest)) {
            minutes.removeFirst();
        }
    }

    /** The minutes that were counted until now, the oldest first. */
    public synchronized List<Minute> lastHour() {
        sample();
        return List.copyOf(minutes);
    }
}
