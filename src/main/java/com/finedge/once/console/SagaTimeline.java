package com.finedge.once.console;

import com.finedge.once.saga.Disposition;
import com.finedge.once.saga.SagaStore.Dossier;
import com.finedge.once.saga.SagaStore.Happened;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A saga's history as a picture: a row for each state, a column for each transition, since they come milliseconds or hours
 * apart. What has passed between two of them stands above.
 *
 * @param rows the states, in the order in which they were first reached
 * @param spans where the saga was in which state
 * @param marks the transitions
 * @param gaps what has passed between the transitions
 */
public record SagaTimeline(
        int width, int height, List<Row> rows, List<Span> spans, List<Mark> marks, List<Gap> gaps, boolean cut) {

    private static final int LEFT = 190;
    private static final int TOP = 34;
    private static final int ROW = 30;
    private static final int COLUMN = 62;
    private static final int MOST = 60;

    /** A state. */
    public record Row(int y, String state) {}

    /** From one transition to the next. */
    public record Span(int x, int y, int width, String kind) {}

    /** A transition. */
    public record Mark(int x, int y, String kind, String title, long version) {}

    /** Between two transitions. */
    public record Gap(int x, String text) {}

    static SagaTimeline of(Dossier dossier, Instant now) {
        List<Happened> all = dossier.history();
        List<Happened> history = all.subList(Math.max(0, all.size() - MOST), all.size());
        List<String> states = history.stream().map(Happened::state).distinct().toList();
        List<Row> rows = new ArrayList<>();
        for (String state : states) {
            rows.add(new Row(TOP + ROW * rows.size() + ROW / 2, state));
        }
        List<Span> spans = new ArrayList<>();
        List<Mark> marks = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>();
        boolean live = dossier.saga().outcome() == null;
        for (int i = 0; i < history.size(); i++) {
            Happened one = history.get(i);
            int x = LEFT + COLUMN * i + COLUMN / 2;
            int y = rows.get(states.indexOf(one.state())).y();
            boolean last = i == history.size() - 1;
            if (!last || live) {
                Instant until = last ? now : history.get(i + 1).at();
                spans.add(new Span(x, y, COLUMN, last ? "open" : "passed"));
                gaps.add(new Gap(x + COLUMN / 2, between(Duration.between(one.at(), until))));
            }
            marks.add(new Mark(
                    x,
                    y,
                    kind(one.disposition()),
                    "%d: %s, %s"
                            .formatted(
                                    one.version(),
                                    one.disposition()
                                            .name()
                                            .toLowerCase(Locale.ROOT)
                                            .replace('_', ' '),
                                    one.note()),
                    one.version()));
        }
        return new SagaTimeline(
                LEFT + COLUMN * (history.size() + 1),
                TOP + ROW * rows.size() + 8,
                List.copyOf(rows),
                List.copyOf(spans),
                List.copyOf(marks),
                List.copyOf(gaps),
                history.size() < all.size());
    }

    private static String kind(Disposition disposition) {
        return switch (disposition) {
            case APPLIED, DUPLICATE, STALE, REARMED -> "good";
            case RETRY_LATER,
                    RESENT,
                    HELD,
                    LATE_SUCCESS,
                    LATE_FAILURE,
                    COMPENSATION_FAILED,
                    CANNOT_BE_CANCELLED,
                    NOT_APPLICABLE,
                    PIVOT_STANDS -> "slow";
            case CONTRADICTION, ILLEGAL, ORPHAN, POISON, TIMED_OUT -> "bad";
        };
    }

    private static String between(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            return Math.max(duration.toMillis(), 0) + " ms";
        }
        if (duration.compareTo(Duration.ofMinutes(2)) < 0) {
            return duration.toSeconds() + " s";
        }
        return duration.compareTo(Duration.ofHours(2)) < 0 ? duration.toMinutes() + " min" : duration.toHours() + " h";
    }
}
