package com.finedge.once.console;

import com.finedge.once.console.ChargesPerMinute.Count;
import com.finedge.once.console.ChargesPerMinute.Minute;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The last hour as stacked bars, in the units of its picture: 600 wide, 160 high.
 *
 * @param most what the highest line stands for
 * @param bars one for each minute and outcome that there was
 * @param ticks what stands below, by its place
 * @param rows the same as a table, the latest first: what a picture can't say to everyone
 */
public record ChargesChart(long most, List<Bar> bars, List<Tick> ticks, List<Row> rows, Count sum) {

    private static final int WIDTH = 600;
    private static final int HEIGHT = 160;
    private static final int MINUTES = 60;
    private static final int STEP = WIDTH / MINUTES;
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** @param outcome the class of its colour */
    public record Bar(int x, double y, double height, String outcome, String title) {}

    /** A time below the picture. */
    public record Tick(int x, String text) {}

    /** A minute in which something was. */
    public record Row(String minute, long done, long failed, long refused) {}

    static ChargesChart of(List<Minute> minutes) {
        if (minutes.isEmpty()) {
            return new ChargesChart(1, List.of(), List.of(), List.of(), new Count(0, 0, 0));
        }
        Instant end = minutes.getLast().begin();
        double greatest = minutes.stream()
                .mapToDouble(minute -> minute.count().all())
                .max()
                .orElse(0);
        long most = rounded(greatest);
        List<Bar> bars = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        Count sum = new Count(0, 0, 0);
        for (Minute minute : minutes) {
            Count count = minute.count();
            String at = MINUTE.format(minute.begin());
            int x = WIDTH
                    - STEP
                    - STEP * (int) Duration.between(minute.begin(), end).toMinutes();
            double y = HEIGHT;
            y = bar(bars, x, y, count.done(), most, "done", at);
            y = bar(bars, x, y, count.failed(), most, "failed", at);
            bar(bars, x, y, count.refused(), most, "refused", at);
            if (count.all() > 0) {
                rows.add(new Row(at, (long) count.done(), (long) count.failed(), (long) count.refused()));
            }
            sum = new Count(sum.done() + count.done(), sum.failed() + count.failed(), sum.refused() + count.refused());
        }
        List<Tick> ticks = new ArrayList<>();
        for (int ago = 45; ago > 0; ago -= 15) {
            ticks.add(new Tick(WIDTH - STEP * ago, MINUTE.format(end.minus(Duration.ofMinutes(ago)))));
        }
        ticks.add(new Tick(WIDTH, MINUTE.format(end)));
        return new ChargesChart(most, List.copyOf(bars), List.copyOf(ticks), List.copyOf(rows.reversed()), sum);
    }

    private static double bar(
            List<Bar> bars, int x, double below, double count, long most, String outcome, String minute) {
        if (count <= 0) {
            return below;
        }
        double height = Math.max(count * HEIGHT / most, 1);
        bars.add(new Bar(x, below - height, height, outcome, "%s: %d %s".formatted(minute, (long) count, outcome)));
        return below - height;
    }

    /** One, two or five of the power of ten that it fits below. */
    private static long rounded(double value) {
        long power = 1;
        while (power * 10 < value) {
            power *= 10;
        }
        for (long factor : new long[] {1, 2, 5}) {
            if (power * factor >= value) {
                return power * factor;
            }
        }
        return power * 10;
    }
}
