package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.dev.Fault;
import com.finedge.once.support.OnceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** Processes that are stopped, and killed, while they work. */
class RollingRestartIT {

    /** {@code -Donce.test.restarts=6 -Donce.test.restart-pause=10 -Donce.test.kills=30} for the full length. */
    private static final int RESTARTS = Integer.getInteger("once.test.restarts", 3);

    private static final Duration PAUSE = Duration.ofSeconds(Integer.getInteger("once.test.restart-pause", 3));
    private static final int KILLS = Integer.getInteger("once.test.kills", 4);

    private static final int MESSAGES = 500;
    private static final int MESSAGES_BESIDE_KILLS = 60;

    private static final int IN_FLIGHT = 10;

    /** Makes the charges of two processes last until the last restart, a stop being about 2 s. */
    private static final Duration A_CHARGE =
            PAUSE.plusSeconds(2).multipliedBy(2L * IN_FLIGHT * RESTARTS).dividedBy(MESSAGES);

    private static final Duration VISIBILITY = Duration.ofSeconds(60);

    private static List<String> slowCharges(TestBed bed, int count) {
        List<String> charges = TestBed.chargeIds(count);
        charges.forEach(
                chargeId -> bed.bank().fault(chargeId, Fault.slow(A_CHARGE).onNotification()));
        return charges;
    }

    private static long done(TestBed bed, List<String> charges) {
        return charges.stream().filter(bed::isDone).count();
    }

    @Test
    void aRollingRestartLosesNothingAndHidesNothing() {
        TestBed bed = TestBed.withVisibility(VISIBILITY)
                .set("once.charges.max-in-flight", "" + IN_FLIGHT)
                .set("once.notifications.read-timeout", "10s");
        List<String> charges = slowCharges(bed, MESSAGES);
        List<OnceProcess> pods = new ArrayList<>();
        List<String> lastWords = new ArrayList<>();
        try {
            pods.add(OnceProcess.start(bed.settings()));
            pods.add(OnceProcess.start(bed.settings()));
            pods.forEach(OnceProcess::awaitStart);
            bed.send(charges);
            for (int i = 0; i < RESTARTS; i++) {
                await().pollDelay(PAUSE).atMost(PAUSE.plusSeconds(5)).until(() -> true);
                OnceProcess old = pods.remove(0);
                old.terminate();
                lastWords.addAll(old.lines().stream()
                        .filter(line -> line.contains("Stopped: "))
                        .toList());
                pods.add(OnceProcess.start(bed.settings()));
            }
            assertThat(done(bed, charges)).as("done before the last restart").isLessThan(MESSAGES);
            pods.forEach(OnceProcess::awaitStart);

            // Whatever a stop had left hidden would be seen again only after a whole visibility time-out.
            bed.untilDrained(VISIBILITY.minusSeconds(15));
        } finally {
            pods.forEach(OnceProcess::close);
        }
        bed.allDoneOnce(charges);
        assertThat(bed.attempts(charges)).as("runs").isEqualTo(MESSAGES);
        assertThat(lastWords)
                .hasSize(RESTARTS)
                .allMatch(line -> line.contains(" 0 left to their lease"))
                .anyMatch(line -> !line.contains("Stopped: 0 messages drained"));
    }

    @Test
    void killsAtRandomMomentsLoseNothing() {
        TestBed bed = TestBed.quick().set("once.charges.max-in-flight", "" + IN_FLIGHT);
        List<String> charges = slowCharges(bed, MESSAGES_BESIDE_KILLS);
        bed.send(charges);
        for (int i = 0; i < KILLS; i++) {
            try (OnceProcess once = OnceProcess.start(bed.settings()).awaitStart()) {
                Duration moment = Duration.ofMillis(ThreadLocalRandom.current().nextLong(1_500));
                await().pollDelay(moment).atMost(moment.plusSeconds(5)).until(() -> true);
                once.kill();
            }
        }
        try (OnceProcess last = OnceProcess.start(bed.settings()).awaitStart()) {
            bed.untilDrained(Duration.ofSeconds(60));
            last.terminate();
            assertThat(last.said(" 0 left to their lease")).isTrue();
        }
        bed.allDoneOnce(charges);
        // A kill costs the charges that were in flight one more run each, and no other.
        assertThat(bed.attempts(charges)).isLessThanOrEqualTo(MESSAGES_BESIDE_KILLS + (long) KILLS * IN_FLIGHT);
    }
}
