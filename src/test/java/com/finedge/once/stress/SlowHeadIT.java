package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.dev.Debit;
import com.finedge.once.dev.Fault;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.Events;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** Slow messages beside others of their batch. */
class SlowHeadIT {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration SLOW = Duration.ofSeconds(5);
    private static final int BATCH = 10;
    private static final int ROUNDS = 3;

    /** What a shared machine may add to either side of the comparison. */
    private static final Duration NOISE = Duration.ofMillis(150);

    private static void sendBatch(TestBed bed, List<String> chargeIds) {
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
        for (String chargeId : chargeIds) {
            entries.add(SendMessageBatchRequestEntry.builder()
                    .id("m" + entries.size())
                    .messageBody(Events.chargeDue(chargeId))
                    .build());
        }
        bed.charges()
                .sqs()
                .sendMessageBatch(
                        request -> request.queueUrl(bed.charges().url()).entries(entries));
    }

    /** How long a batch takes until the last of its members has been debited, but for the first. */
    private static Duration round(TestBed bed, Duration head, List<String> all) {
        List<String> chargeIds = TestBed.chargeIds(BATCH);
        all.addAll(chargeIds);
        if (head.isPositive()) {
            bed.bank().fault(chargeIds.get(0), Fault.slow(head).onNotification().times(1));
        }
        Instant sent = Instant.now();
        sendBatch(bed, chargeIds);
        bed.untilDrained(LONGEST);
        return chargeIds.stream()
                .skip(1)
                .flatMap(chargeId -> bed.bank().debits(chargeId).stream())
                .map(Debit::debitedAt)
                .map(debited -> Duration.between(sent, debited))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private static Duration median(List<Duration> times) {
        return times.stream().sorted().toList().get(times.size() / 2);
    }

    @Test
    void aSlowHeadHoldsUpNoneOfItsBatch() {
        TestBed bed = TestBed.quick().set("once.notifications.read-timeout", "8s");
        List<String> all = new ArrayList<>();
        List<Duration> plain = new ArrayList<>();
        List<Duration> headed = new ArrayList<>();
        try (RunningOnce once = bed.start()) {
            round(bed, Duration.ZERO, all);
            for (int i = 0; i < ROUNDS; i++) {
                plain.add(round(bed, Duration.ZERO, all));
                headed.add(round(bed, SLOW, all));
            }
            assertThat(TestBed.gauge(once, MeterNames.HOLDING)).isZero();
        }
        bed.allDoneOnce(all);
        assertThat(bed.attempts(all)).isEqualTo(all.size());
        assertThat(median(headed))
                .as("the nine others, by their median: %s beside %s", headed, plain)
                .isLessThanOrEqualTo(
                        median(plain).multipliedBy(12).dividedBy(10).plus(NOISE));
    }

    @Test
    void theLateMembersOfABatchDoNotLapseBeforeTheirTurn() {
        TestBed bed = TestBed.quick().set("once.charges.max-in-flight", "10").set("once.charges.pollers", "2");
        List<String> charges = TestBed.chargeIds(40);
        charges.forEach(chargeId ->
                bed.bank().fault(chargeId, Fault.slow(Duration.ofSeconds(2)).onNotification()));
        try (RunningOnce once = bed.start()) {
            bed.send(charges);
            bed.untilDrained(LONGEST);
            assertThat(TestBed.count(once, MeterNames.CLAIMS)).as("deliveries").isEqualTo(charges.size());
        }
        bed.allDoneOnce(charges);
        assertThat(bed.attempts(charges)).isEqualTo(charges.size());
    }
}
