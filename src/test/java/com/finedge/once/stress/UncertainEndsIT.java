package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.charge.AccountDebitPort;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.charge.DebitResult;
import com.finedge.once.charge.DebitSearch;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.dev.Fault;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.FaultProxy.Faulty;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Effects whose end could not be recorded, and deliveries that broke: nothing is deleted before its claim has ended. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UncertainEndsIT {

    private static final Duration LONGEST = Duration.ofSeconds(40);

    private final TestBed bed = TestBed.quick();
    private final FaultProxy dynamoDb = bed.beforeDynamoDb();
    private RunningOnce once;

    @BeforeAll
    void start() {
        once = bed.start(BrokenBank.class);
    }

    @AfterAll
    void stop() {
        once.close();
        dynamoDb.close();
    }

    @Test
    void aChargeWhoseEndCannotBeRecordedIsRunAgainAndDebitedOnce() {
        Faulty refused = ClaimCalls.finish(dynamoDb).answer(400, "AccessDeniedException");
        List<String> charge = bed.send(1);
        await().atMost(LONGEST).until(() -> refused.hits() > 0);
        assertThat(bed.claim(charge.get(0)).state()).isEqualTo(ClaimState.IN_PROGRESS);
        assertThat(bed.charges().size()).isEqualTo(1);

        refused.end();
        bed.untilDrained(LONGEST);

        bed.allDoneOnce(charge);
        assertThat(bed.attempts(charge)).isEqualTo(2);
    }

    @Test
    void aRefusalThatCannotBeRecordedKeepsItsMessage() {
        String chargeId = TestBed.chargeIds(1).get(0);
        bed.bank().fault(chargeId, Fault.reject("INSUFFICIENT_FUNDS"));
        Faulty refused = ClaimCalls.finish(dynamoDb).answer(400, "AccessDeniedException");
        bed.send(List.of(chargeId));
        await().atMost(LONGEST).until(() -> refused.hits() > 0);
        assertThat(bed.claim(chargeId).state()).isEqualTo(ClaimState.IN_PROGRESS);
        assertThat(bed.charges().size()).isEqualTo(1);
        assertThat(bed.deadLetters().size()).isZero();

        refused.end();
        bed.untilDrained(LONGEST);

        assertThat(bed.claim(chargeId).state()).isEqualTo(ClaimState.FAILED);
        assertThat(bed.claim(chargeId).outcome()).isEqualTo("INSUFFICIENT_FUNDS");
        assertThat(bed.deadLetters().drain()).hasSize(1);
        assertThat(bed.bank().debits(chargeId)).isEmpty();
    }

    @Test
    void twoBlipsOfTheBankCostTwoAttempts() {
        List<String> charge = TestBed.chargeIds(1);
        bed.bank().fault(charge.get(0), Fault.unavailable(503).times(2));
        bed.send(charge);
        bed.untilDrained(LONGEST);

        bed.allDoneOnce(charge);
        assertThat(bed.attempts(charge)).isEqualTo(3);
    }

    @Test
    void aNotificationWhoseAnswerIsLostIsSentOnceToASinkThatKnowsIt() {
        List<String> charge = TestBed.chargeIds(1);
        bed.bank()
                .fault(
                        charge.get(0),
                        Fault.timeoutAfter().onNotification().times(1).delayedBy(Duration.ofSeconds(5)));
        bed.send(charge);
        bed.untilDrained(LONGEST);

        bed.allDoneOnce(charge);
        assertThat(bed.claim(charge.get(0)).outcome()).isEqualTo("DEBITED_NOTIFICATION_FAILED");
    }

    @Test
    void aNotificationThatFailsIsRecordedAndNeitherItNorTheDebitIsTriedAgain() {
        double failed = TestBed.count(once, MeterNames.NOTIFICATIONS_FAILED);
        List<String> charge = TestBed.chargeIds(1);
        String chargeId = charge.get(0);
        bed.bank().fault(chargeId, Fault.unavailable(500).onNotification().times(3));
        bed.send(charge);
        bed.untilDrained(LONGEST);

        assertThat(bed.claim(chargeId).state()).isEqualTo(ClaimState.DONE);
        assertThat(bed.claim(chargeId).outcome()).isEqualTo("DEBITED_NOTIFICATION_FAILED");
        assertThat(TestBed.count(once, MeterNames.NOTIFICATIONS_FAILED)).isEqualTo(failed + 1);

        // Nor by its duplicates, once the notification service is well again.
        ClaimRecord ended = bed.claim(chargeId);
        bed.bank().clearFaults(chargeId);
        bed.send(charge);
        bed.untilDrained(LONGEST);

        assertThat(bed.claim(chargeId)).isEqualTo(ended);
        assertThat(ended.attempts()).isEqualTo(1);
        assertThat(bed.bank().debits(chargeId)).hasSize(1);
        assertThat(bed.bank().notifications(chargeId)).isEmpty();
        assertThat(bed.deadLetters().size()).isZero();
    }

    /** Dynalite refuses items above 400 KB, as DynamoDB does. */
    @Test
    void aReferenceTooLargeForAnItemDoesNotKeepTheEndFromBeingRecorded() {
        BrokenBank.REFERENCE.set("R".repeat(500_000));
        List<String> charge;
        try {
            charge = bed.send(1);
            bed.untilDrained(LONGEST);
        } finally {
            BrokenBank.REFERENCE.set("");
        }

        bed.allDoneOnce(charge);
        assertThat(bed.attempts(charge)).isEqualTo(1);
        assertThat(bed.claim(charge.get(0)).detail().getOrDefault("debitReference", ""))
                .hasSize(1_000)
                .startsWith("RRR");
    }

    @Test
    void anErrorInAStepDeletesNothingAndStopsNoConsumer() {
        double failed = TestBed.count(once, MeterNames.FAILED_DELIVERIES, "cause", "other");
        BrokenBank.LEFT.set(2);
        List<String> charges = bed.send(4);
        bed.untilDrained(LONGEST);

        bed.allDoneOnce(charges);
        assertThat(bed.attempts(charges)).isEqualTo(charges.size() + 2);
        assertThat(TestBed.count(once, MeterNames.FAILED_DELIVERIES, "cause", "other"))
                .isEqualTo(failed + 2);
        assertThat(TestBed.gauge(once, MeterNames.IN_FLIGHT_FREE)).isPositive();
    }

    /** Throws an Error in place of the debit, or gives a reference of its own. */
    static final class BrokenBank implements BeanPostProcessor {

        private static final AtomicInteger LEFT = new AtomicInteger();
        private static final AtomicReference<String> REFERENCE = new AtomicReference<>("");

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (!(bean instanceof AccountDebitPort bank)) {
                return bean;
            }
            return new AccountDebitPort() {
                @Override
                public DebitResult debit(Charge charge) {
                    if (LEFT.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        throw new StackOverflowError("as the test wants it");
                    }
                    DebitResult result = bank.debit(charge);
                    return REFERENCE.get().isEmpty() || !(result instanceof DebitResult.Debited)
                            ? result
                            : new DebitResult.Debited(REFERENCE.get());
                }

                @Override
                public DebitSearch find(ChargeId id) {
                    return bank.find(id);
                }
            };
        }
    }
}
