package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.FaultProxy.Faulty;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A write that arrived and whose answer was lost is sent again by the SDK, and meets itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DroppedResponseIT {

    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final TestBed bed = TestBed.quick();
    private final FaultProxy dynamoDb = bed.beforeDynamoDb();
    private final FaultProxy sqs = bed.beforeSqs();
    private RunningOnce once;

    @BeforeAll
    void start() {
        once = bed.start();
    }

    @AfterAll
    void stop() {
        once.close();
        dynamoDb.close();
        sqs.close();
    }

    private void isDoneAtFirstAttempt(Faulty fault) {
        double lost = TestBed.count(once, MeterNames.LEASE_LOST);
        double asked = TestBed.count(once, MeterNames.CLAIMS);
        List<String> charge = bed.send(1);
        bed.untilDrained(LONGEST);

        assertThat(fault.hits()).as("dropped answers").isEqualTo(1);
        bed.allDoneOnce(charge);
        assertThat(bed.attempts(charge)).isEqualTo(1);
        assertThat(TestBed.count(once, MeterNames.LEASE_LOST)).as("leases lost").isEqualTo(lost);
        assertThat(TestBed.count(once, MeterNames.CLAIMS))
                .as("claims asked for")
                .isEqualTo(asked + 1);
    }

    @Test
    void theClaimIsRecognisedAsOurs() {
        isDoneAtFirstAttempt(ClaimCalls.claim(dynamoDb).times(1).dropAnswer());
    }

    @Test
    void theRecordedEndIsRecognisedAsOurs() {
        isDoneAtFirstAttempt(ClaimCalls.finish(dynamoDb).times(1).dropAnswer());
    }

    @Test
    void aDeleteThatWasCarriedOutIsAskedForAgain() {
        isDoneAtFirstAttempt(sqs.on("DeleteMessageBatch").times(1).dropAnswer());
    }

    @Test
    void aBatchThatWasHandedOutToNobodyComesBackAfterItsVisibility() {
        isDoneAtFirstAttempt(
                sqs.on("ReceiveMessage").answeredWith("ReceiptHandle").times(1).dropAnswer());
    }
}
