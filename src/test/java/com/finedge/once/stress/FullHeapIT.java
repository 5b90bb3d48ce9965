package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.dev.Debit;
import com.finedge.once.dev.Fault;
import com.finedge.once.dev.Notification;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.OnceProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One message that needs all the memory there is: it alone ends in the dead-letter queue, the others beside it are done. */
class FullHeapIT {

    private static final Duration LONGEST = Duration.ofSeconds(90);

    private static final int OTHERS = 8;

    /** Enough for the application, which takes some 70 MB, and little more. */
    private static final String HEAP = "-Xmx144m";

    /** So slow at first that they are still at work when the heap is full. */
    private static List<String> slowOthers(TestBed bed) {
        List<String> others = TestBed.chargeIds(OTHERS);
        others.forEach(chargeId -> bed.bank()
                .fault(
                        chargeId,
                        Fault.slow(Duration.ofSeconds(6)).onNotification().times(1)));
        return others;
    }

    private static TestBed fillingTheHeapWith(TestBed bed, String chargeId) {
        return bed.set("once.test.fill-heap-with", chargeId).set("once.notifications.read-timeout", "8s");
    }

    private static void itAloneIsDead(TestBed bed, String chargeId) {
        assertThat(bed.deadLetters().drain()).singleElement().satisfies(message -> {
            assertThat(message.body()).contains(chargeId);
            assertThat(message.messageAttributes()).as("moved by SQS itself").isEmpty();
        });
        assertThat(bed.bank().debits(chargeId)).extracting(Debit::chargeId).containsExactly(chargeId);
        assertThat(bed.bank().notifications(chargeId))
                .extracting(Notification::chargeId)
                .isEmpty();
    }

    /** As the image is started, and whatever runs it starts it again. */
    @Test
    void itAloneIsDeadWhereEachTimeTheProcessEndsAndIsStartedAgain() {
        TestBed bed = TestBed.withFewReceives(Duration.ofSeconds(6), 1);
        List<String> filler = TestBed.chargeIds(1);
        fillingTheHeapWith(bed, filler.get(0));
        List<String> others = slowOthers(bed);
        int ends = 0;
        try (FaultProxy sqs = bed.beforeSqs()) {
            WatchedDeletes deletes = new WatchedDeletes(bed);
            sqs.watchedBy(deletes);
            bed.send(filler);
            bed.send(others);
            while (bed.charges().size() > 0) {
                try (OnceProcess once = OnceProcess.start(bed.settings(), HEAP, "-XX:+ExitOnOutOfMemoryError")) {
                    await().atMost(LONGEST)
                            .until(() -> !once.isAlive() || bed.charges().size() == 0);
                    ends += once.isAlive() ? 0 : 1;
                }
                assertThat(ends).as("ends for want of memory").isLessThanOrEqualTo(4);
            }
            deletes.wereOf(others);
        }
        assertThat(ends).as("ends for want of memory").isGreaterThanOrEqualTo(2);
        itAloneIsDead(bed, filler.get(0));
        bed.allDoneOnce(others);
        assertThat(bed.attempts(others)).as("runs").isEqualTo(2 * OTHERS);
    }

    @Test
    void itAloneIsDeadWhereTheProcessLivesOnAndTheConsumerDoesToo() {
        TestBed bed = TestBed.withFewReceives(Duration.ofSeconds(6), 2).set("once.charges.max-in-flight", "10");
        List<String> filler = TestBed.chargeIds(1);
        fillingTheHeapWith(bed, filler.get(0));
        List<String> others = slowOthers(bed);
        try (OnceProcess once = OnceProcess.start(bed.settings(), HEAP).awaitStart()) {
            bed.send(filler);
            bed.send(others);
            bed.untilDrained(LONGEST);

            itAloneIsDead(bed, filler.get(0));
            bed.allDoneOnce(others);

            // More polls than would fit beside one whose room had got lost.
            List<String> afterwards = bed.send(40);
            bed.untilDrained(LONGEST);
            bed.allDoneOnce(afterwards);
            assertThat(once.said("filling the heap")).isTrue();
            assertThat(once.isAlive()).isTrue();
        }
    }
}
