package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.dev.Fault;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.FaultProxy.Faulty;
import com.finedge.once.support.OnceProcess;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Charges that are done and whose messages are hard to get rid of. */
class DeletesIT {

    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final int BATCH = 7;

    @Test
    void aDoneChargeWhoseDeleteFailsIsDeletedByALaterDelivery() {
        TestBed bed = TestBed.withVisibility(Duration.ofSeconds(2));
        try (FaultProxy sqs = bed.beforeSqs();
                RunningOnce once = bed.start()) {
            Faulty down = sqs.on("DeleteMessageBatch").answer(500, "InternalError");
            List<String> charges = bed.send(BATCH);
            await().atMost(LONGEST)
                    .until(() -> TestBed.count(once, MeterNames.CLAIMS, "outcome", "DUPLICATE_DONE") >= BATCH);
            assertThat(bed.charges().size()).isEqualTo(BATCH);

            down.end();
            bed.untilDrained(LONGEST);

            bed.allDoneOnce(charges);
            assertThat(bed.attempts(charges)).isEqualTo(BATCH);
        }
    }

    @Test
    void anEntryThatFailsInABatchThatSucceedsIsDeletedAgain() {
        TestBed bed = TestBed.withVisibility(Duration.ofSeconds(60));
        try (FaultProxy sqs = bed.beforeSqs()) {
            Faulty failed = sqs.on("DeleteMessageBatch").times(2).failFirstEntry();
            Faulty deletes = sqs.on("DeleteMessageBatch").delay(Duration.ZERO);
            try (RunningOnce once = bed.start()) {
                List<String> charges = bed.send(BATCH);
                bed.untilDrained(LONGEST);
                await().atMost(LONGEST).until(() -> TestBed.gauge(once, MeterNames.PENDING) == 0);

                bed.allDoneOnce(charges);
                assertThat(failed.hits()).isEqualTo(2);
                assertThat(deletes.hits()).as("delete batches").isGreaterThanOrEqualTo(3);
            }
        }
    }

    @Test
    void deletesOnTheirWayAreFlushedAtTheStop() {
        TestBed bed = TestBed.withVisibility(Duration.ofSeconds(60));
        try (FaultProxy sqs = bed.beforeSqs();
                OnceProcess once = OnceProcess.start(bed.settings()).awaitStart()) {
            Faulty slow = sqs.on("DeleteMessageBatch").delay(Duration.ofSeconds(2));
            List<String> charges = bed.send(BATCH);
            await().atMost(LONGEST)
                    .until(() -> slow.hits() > 0 && charges.stream().allMatch(bed::isDone));
            assertThat(bed.charges().size()).as("messages not deleted yet").isPositive();

            once.terminate();

            assertThat(bed.charges().size()).isZero();
            assertThat(once.lines())
                    .anyMatch(line -> line.matches(
                            ".*Stopped: \\d+ messages drained, 0 returned to the queue, 0 left to their lease.*"));
            bed.allDoneOnce(charges);
        }
    }

    @Test
    void startedWorkIsDrainedAtTheStopAndWhatIsTooSlowIsLeft() {
        TestBed bed = TestBed.withVisibility(Duration.ofSeconds(60))
                .set("once.shutdown-grace", "4s")
                .set("once.notifications.read-timeout", "14s");
        List<String> charges = TestBed.chargeIds(4);
        charges.forEach(chargeId ->
                bed.bank().fault(chargeId, Fault.slow(Duration.ofSeconds(2)).onNotification()));
        String tooSlow = charges.get(3);
        bed.bank().fault(tooSlow, Fault.slow(Duration.ofSeconds(12)).onNotification());
        try (OnceProcess once = OnceProcess.start(bed.settings()).awaitStart()) {
            bed.send(charges);
            await().atMost(LONGEST).until(() -> charges.stream().allMatch(bed::isClaimed));

            once.terminate();

            assertThat(once.lines())
                    .anyMatch(line -> line.contains(
                            "Stopped: 3 messages drained, 0 returned to the queue, 1 left to their lease"));
            assertThat(charges.subList(0, 3)).allMatch(bed::isDone);
            assertThat(bed.charges().size()).isEqualTo(1);
            assertThat(bed.isDone(tooSlow)).isFalse();
        }
    }
}
