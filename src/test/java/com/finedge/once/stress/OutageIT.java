package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.dev.Fault;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.FaultProxy.Faulty;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;

/** DynamoDB, the bank and SQS away for a while: nothing is lost, given up or done twice, and all is done afterwards. */
class OutageIT {

    private static final int MESSAGES = 200;

    /** {@code -Donce.test.outage=60} for the full length. */
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("once.test.outage", 9));

    private static final Duration RECOVERY = Duration.ofMinutes(1);

    /** Nothing has happened to the messages, and the application knows why. */
    private static void nothingIsLost(TestBed bed, List<String> charges) {
        assertThat(bed.charges().size()).as("messages").isEqualTo(charges.size());
        assertThat(bed.deadLetters().size()).as("dead letters").isZero();
        assertThat(charges)
                .allSatisfy(chargeId -> assertThat(bed.bank().debits(chargeId)).isEmpty());
    }

    private static boolean isOutOfService(RunningOnce once) {
        return once.bean("circuitsHealthIndicator", HealthIndicator.class)
                .health()
                .getStatus()
                .equals(Status.OUT_OF_SERVICE);
    }

    private static void waitOutTheOutage() {
        await().pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(5)).until(() -> true);
    }

    @Test
    void aThrottledClaimStoreCostsTimeAndNothingElse() {
        TestBed bed = TestBed.quick();
        try (FaultProxy dynamoDb = bed.beforeDynamoDb();
                RunningOnce once = bed.start()) {
            Faulty throttled = dynamoDb.on("UpdateItem").throttle();
            List<String> charges = bed.send(MESSAGES);
            await().atMost(OUTAGE).until(() -> isOutOfService(once));
            waitOutTheOutage();

            nothingIsLost(bed, charges);
            assertThat(charges).noneMatch(bed::isClaimed);
            assertThat(TestBed.count(once, MeterNames.CLAIMS))
                    .as("claims answered")
                    .isZero();
            // Every poll that found the circuit open left its messages where they were.
            assertThat(TestBed.count(once, MeterNames.FAILED_DELIVERIES, "cause", "claim-store"))
                    .isBetween(1.0, MESSAGES * 3.0);

            throttled.end();
            Faulty partly = dynamoDb.on("UpdateItem").percent(30).throttle();
            bed.untilDrained(RECOVERY);

            bed.allDoneOnce(charges);
            assertThat(partly.hits()).isPositive();
            // One whose end was throttled for longer than a call may take is run again.
            assertThat(bed.attempts(charges)).isLessThan(MESSAGES + MESSAGES / 10);
        }
    }

    @Test
    void aBankThatIsAwayCostsTimeAndNothingElse() {
        TestBed bed = TestBed.quick();
        List<String> charges = TestBed.chargeIds(MESSAGES);
        charges.forEach(chargeId -> bed.bank().fault(chargeId, Fault.unavailable(503)));
        try (RunningOnce once = bed.start()) {
            bed.send(charges);
            await().atMost(OUTAGE).until(() -> isOutOfService(once));
            waitOutTheOutage();

            nothingIsLost(bed, charges);

            charges.forEach(bed.bank()::clearFaults);
            bed.untilDrained(RECOVERY);

            bed.allDoneOnce(charges);
        }
    }

    @Test
    void aQueueThatRefusesSwallowsOrForbidsCostsTimeAndNothingElse() {
        TestBed bed = TestBed.quick();
        try (FaultProxy sqs = bed.beforeSqs();
                RunningOnce once = bed.start()) {
            sqs.refuseConnections();
            List<String> charges = bed.send(MESSAGES / 4);
            pause();
            nothingIsLost(bed, charges);
            sqs.acceptConnections();
            bed.untilDrained(RECOVERY);
            bed.allDoneOnce(charges);

            Faulty blackHole = sqs.onEverything().swallow();
            untilRunningPollsHaveEnded();
            charges = bed.send(MESSAGES / 4);
            pause();
            nothingIsLost(bed, charges);
            blackHole.end();
            bed.untilDrained(RECOVERY);
            bed.allDoneOnce(charges);

            Faulty expired = sqs.onEverything().answer(403, "ExpiredTokenException");
            untilRunningPollsHaveEnded();
            charges = bed.send(MESSAGES / 4);
            pause();
            nothingIsLost(bed, charges);
            expired.end();
            bed.untilDrained(RECOVERY);
            bed.allDoneOnce(charges);
            assertThat(isOutOfService(once)).isFalse();
        }
    }

    /** Those that had passed the proxy already would still bring messages. */
    private static void untilRunningPollsHaveEnded() {
        await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
    }

    private static void pause() {
        Duration third = OUTAGE.dividedBy(3);
        await().pollDelay(third).atMost(third.plusSeconds(5)).until(() -> true);
    }
}
