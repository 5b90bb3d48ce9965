package com.finedge.once.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How values are written for people; the templates call it {@code as}.
 *
 * @param now when the page was asked for
 */
public record Wording(Instant now) {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** In UTC, to the second. */
    public String time(@Nullable Instant time) {
        return time == null ? "–" : TIME.format(time);
    }

    /** For instance {@code 5 min ago}. */
    public String ago(@Nullable Instant time) {
        if (time == null) {
            return "–";
        }
        Duration past = Duration.between(time, now);
        return past.isNegative() ? "in " + duration(past.negated()) : duration(past) + " ago";
    }

    /** How long ago, for instance {@code 5 min 3 s}. */
    public String since(Instant time) {
        return duration(Duration.between(time, now));
    }

    /** What a claim says to whoever would make it: one in progress whose lease has ended is anybody's. */
    public String claim(Object state, Instant leaseUntil) {
        return state.toString().equals("IN_PROGRESS") && leaseUntil.isBefore(now)
                ? "open: nobody holds it"
                : words(state);
    }

    /** In its two greatest units at the most. */
    public String duration(Duration duration) {
        Duration whole = duration.truncatedTo(ChronoUnit.SECONDS);
        if (whole.toDays() > 0) {
            return "%d d %d h".formatted(whole.toDays(), whole.toHoursPart());
        }
        if (whole.toHours() > 0) {
            return "%d h %d min".formatted(whole.toHours(), whole.toMinutesPart());
        }
        if (whole.toMinutes() > 0) {
            return "%d min %d s".formatted(whole.toMinutes(), whole.toSecondsPart());
        }
        return whole.isZero() ? "under a second" : whole.toSeconds() + " s";
    }

    /** What a constant says: {@code NOT_STARTED} as {@code not started}. */
    public String words(@Nullable Object constant) {
        return constant == null
                ? "–"
                : constant.toString().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
