package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.dev.Fault;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.Events;
import com.finedge.once.support.OnceProcess;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Work that outlasts its lease and its message's visibility, awake and asleep. */
class HeartbeatIT {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int DUPLICATES = 20;

    /** Three leases and two visibilities. */
    private static final Duration LONG_CHARGE = Duration.ofSeconds(12);

    @Test
    void aLongChargeKeepsItsLeaseAndItsMessageAndOutlivesItsDuplicates() {
        TestBed bed = TestBed.quick().set("once.notifications.read-timeout", "14s");
        List<String> charge = TestBed.chargeIds(1);
        String chargeId = charge.get(0);
        bed.bank().fault(chargeId, Fault.slow(LONG_CHARGE).onNotification().times(1));
        try (RunningOnce once = bed.start()) {
            bed.send(charge);
            await().atMost(LONGEST).until(() -> bed.isClaimed(chargeId));
            for (int i = 0; i < DUPLICATES; i++) {
                bed.charges().send(Events.chargeDue(chargeId));
            }
            bed.untilDrained(LONGEST);

            assertThat(TestBed.count(once, MeterNames.TAKEOVERS)).isZero();
            assertThat(TestBed.count(once, MeterNames.LEASE_LOST)).isZero();
            assertThat(TestBed.count(once, MeterNames.HOLD_LOST)).isZero();
            assertThat(TestBed.count(once, MeterNames.CLAIMS, "outcome", "DUPLICATE_IN_PROGRESS"))
                    .isGreaterThanOrEqualTo(DUPLICATES);
        }
        bed.allDoneOnce(charge);
        assertThat(bed.attempts(charge)).isEqualTo(1);
    }

    @Test
    void aPausedProcessRecordsNothingOverItsSuccessor() {
        TestBed bed = TestBed.quick();
        Map<String, String> paused = new HashMap<>(bed.settings());
        paused.put("once.test.stand-still-after", "claim-charge");
        paused.put("once.test.stand-still-for", "2s");
        try (OnceProcess first = OnceProcess.start(paused).awaitStart()) {
            List<String> charge = bed.send(1);
            first.awaitLine("standing still after claim-charge");
            first.signal("STOP");
            try (RunningOnce second = bed.start()) {
                bed.untilDrained(LONGEST);

                assertThat(TestBed.count(second, MeterNames.TAKEOVERS)).isEqualTo(1);
                bed.allDoneOnce(charge);
                ClaimRecord ended = bed.claim(charge.get(0));

                first.signal("CONT");
                first.awaitLine("is lost, nothing of it is recorded any more");
                // Its stop waits for the work that has woken up.
                first.terminate();

                assertThat(first.said("Stopped: ")).isTrue();
                assertThat(bed.claim(charge.get(0))).isEqualTo(ended);
                assertThat(ended.attempts()).isEqualTo(2);
                bed.allDoneOnce(charge);
            }
        }
    }
}
