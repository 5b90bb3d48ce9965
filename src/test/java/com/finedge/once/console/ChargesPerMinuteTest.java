package com.finedge.once.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.console.ChargesPerMinute.Count;
import com.finedge.once.console.ChargesPerMinute.Minute;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What the overview says about the last hour. */
class ChargesPerMinuteTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    private final AtomicReference<Count> totals = new AtomicReference<>(new Count(0, 0, 0));
    private final ChargesPerMinute charges = new ChargesPerMinute(now::get, totals::get);

    private void after(Duration time, Count count) {
        now.updateAndGet(before -> before.plus(time));
        totals.set(count);
        charges.sample();
    }

    @Test
    void eachMinuteHasWhatEndedInIt() {
        after(Duration.ofSeconds(5), new Count(3, 0, 0));
        after(Duration.ofSeconds(5), new Count(4, 1, 0));
        after(Duration.ofMinutes(2), new Count(4, 1, 2));

        assertThat(charges.lastHour())
                .containsExactly(
                        new Minute(NOON, new Count(4, 1, 0)),
                        new Minute(NOON.plus(Duration.ofMinutes(2)), new Count(0, 0, 2)));
    }

    @Test
    void whatIsOlderThanAnHourIsForgotten() {
        after(Duration.ZERO, new Count(1, 0, 0));
        after(Duration.ofMinutes(59), new Count(2, 0, 0));
        assertThat(charges.lastHour()).hasSize(2);

        after(Duration.ofMinutes(1), new Count(2, 0, 0));

        assertThat(charges.lastHour())
                .extracting(minute -> minute.count().done())
                .containsExactly(1.0, 0.0);
    }

    @Test
    void thePictureStacksTheOutcomesAndItsTableSaysTheSame() {
        after(Duration.ZERO, new Count(10, 5, 5));

        ChargesChart chart = ChargesChart.of(charges.lastHour());

        assertThat(chart.most()).isEqualTo(20);
        assertThat(chart.bars()).extracting(ChargesChart.Bar::outcome).containsExactly("done", "failed", "refused");
        assertThat(chart.bars()).extracting(ChargesChart.Bar::height).containsExactly(80.0, 40.0, 40.0);
        assertThat(chart.bars()).extracting(ChargesChart.Bar::y).containsExactly(80.0, 40.0, 0.0);
        assertThat(chart.rows()).containsExactly(new ChargesChart.Row("12:00", 10, 5, 5));
    }

    @Test
    void anHourWithoutChargesIsAnEmptyPicture() {
        assertThat(ChargesChart.of(charges.lastHour()).bars()).isEmpty();
    }
}
