package com.finedge.once;

import static com.finedge.once.support.Queue.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.charge.ChargeId;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Claims;
import com.finedge.once.contract.InvalidBodies;
import com.finedge.once.contract.ValidBodies;
import com.finedge.once.dev.CoreBankingSimulator;
import com.finedge.once.dev.Debit;
import com.finedge.once.dev.Fault;
import com.finedge.once.support.Events;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** Real messages through a real queue into the real route and a real table, whoever serves their APIs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EndToEndContract {

    /** Above the visibility: a receive whose answer is lost, as on a machine that is too busy, hides its messages for that long. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private RunningOnce once;
    protected Queue charges;
    private Queue deadLetters;

    /** What the application is to run on; queues and table are made already. */
    protected abstract Map<String, String> settings();

    protected abstract SqsClient sqs();

    /** The keys of all claims, as the store has them: scope, {@code #} and business key. */
    protected abstract List<String> claimKeys();

    protected abstract CoreBankingSimulator bank();

    @BeforeAll
    void start() {
        Map<String, String> settings = new HashMap<>(settings());
        settings.put("once.claims.lease", "4s");
        settings.put("once.claims.max-hold", "30s");
        settings.put("once.aws.call-timeout", "3s");
        settings.put("once.core-banking.read-timeout", "1s");
        settings.put("once.charges.back-off", "1s");
        once = RunningOnce.start(settings);
        charges = Queue.named(sqs(), settings.getOrDefault("once.charges.queue", "charges"));
        deadLetters = Queue.named(sqs(), settings.getOrDefault("once.charges.dead-letter-queue", "charges-dlq"));
    }

    @AfterAll
    void stop() {
        once.close();
    }

    protected void untilDrained() {
        await().atMost(LONGEST).until(() -> charges.size() == 0);
    }

    private Optional<ClaimRecord> claim(String chargeId) {
        return once.bean(Claims.class).find(new ChargeId(chargeId).claimKey());
    }

    private List<Message> deadLettersWhenDrained() {
        untilDrained();
        return deadLetters.drain();
    }

    @Test
    void theSameMessageFiveTimesIsOneDebitAndOneDone() {
        String chargeId = Events.newChargeId();
        for (int i = 0; i < 5; i++) {
            charges.send(Events.chargeDue(chargeId));
        }
        untilDrained();

        assertThat(bank().debits(chargeId)).extracting(Debit::amount).containsExactly("19.90");
        assertThat(bank().notifications(chargeId)).hasSize(1);
        assertThat(claim(chargeId).orElseThrow().state()).isEqualTo(ClaimState.DONE);
        assertThat(claim(chargeId).orElseThrow().detail())
                .containsEntry("debitReference", bank().debits(chargeId).get(0).reference());
        assertThat(deadLetters.size()).isZero();
    }

    @Test
    void aDuplicateInFlightWaitsAndIsThenDeleted() {
        String chargeId = Events.newChargeId();
        bank().fault(chargeId, Fault.slow(Duration.ofMillis(800)).times(1));
        charges.send(Events.chargeDue(chargeId));
        charges.send(Events.chargeDue(chargeId));
        untilDrained();

        assertThat(bank().debits(chargeId)).hasSize(1);
        assertThat(deadLetters.size()).isZero();
    }

    @Test
    void aRefusedChargeIsFailedAndDeadLetteredOnceWithItsBodyUntouched() {
        String chargeId = Events.newChargeId();
        bank().fault(chargeId, Fault.reject("INSUFFICIENT_FUNDS"));
        String body = "  " + Events.chargeDue(chargeId) + "\n";
        String traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        String messageId = charges.send(body, Map.of("traceparent", traceparent));

        List<Message> dead = deadLettersWhenDrained();

        assertThat(dead).singleElement().satisfies(message -> {
            assertThat(message.body()).isEqualTo(body);
            assertThat(attribute(message, "code")).isEqualTo("INSUFFICIENT_FUNDS");
            assertThat(attribute(message, "reason")).isEqualTo("rejected by the bank");
            assertThat(attribute(message, "businessKey")).isEqualTo(chargeId);
            assertThat(attribute(message, "originalMessageId")).isEqualTo(messageId);
            assertThat(attribute(message, "sourceQueue")).isEqualTo("charges" + suffix());
            assertThat(attribute(message, "failedAt")).isNotEmpty();
            assertThat(attribute(message, "traceparent")).isEqualTo(traceparent);
            assertThat(message.messageAttributes()).hasSize(7);
        });
        assertThat(bank().debits(chargeId)).isEmpty();
        assertThat(claim(chargeId).orElseThrow().outcome()).isEqualTo("INSUFFICIENT_FUNDS");
    }

    private String suffix() {
        return charges.url().substring(charges.url().lastIndexOf('/') + 1).substring("charges".length());
    }

    @Test
    void aBankThatTimesOutAfterTheDebitDebitsOnce() {
        String chargeId = Events.newChargeId();
        bank().fault(chargeId, Fault.timeoutAfter().times(1).delayedBy(Duration.ofSeconds(3)));
        charges.send(Events.chargeDue(chargeId));
        untilDrained();

        assertThat(bank().debits(chargeId)).hasSize(1);
        assertThat(bank().notifications(chargeId)).hasSize(1);
        assertThat(claim(chargeId).orElseThrow().state()).isEqualTo(ClaimState.DONE);
        assertThat(claim(chargeId).orElseThrow().attempts()).isEqualTo(2);
        assertThat(deadLetters.size()).isZero();
    }

    @Test
    void theSameChargeWithAnotherAmountIsAConflict() {
        String chargeId = Events.newChargeId();
        charges.send(Events.chargeDue(chargeId, "19.90"));
        untilDrained();
        charges.send(Events.chargeDue(chargeId, "1990.00"));

        assertThat(deadLettersWhenDrained())
                .singleElement()
                .satisfies(message -> assertThat(attribute(message, "code")).isEqualTo("CONFLICT"));
        assertThat(bank().debits(chargeId)).extracting(Debit::amount).containsExactly("19.90");
    }

    @Test
    void everyInvalidBodyIsDeadLetteredOnceAndHoldsUpNoNeighbour() {
        List<InvalidBodies.InvalidBody> invalid = InvalidBodies.all();
        List<String> good = new ArrayList<>();
        for (InvalidBodies.InvalidBody body : invalid) {
            charges.send(body.body());
            good.add(Events.newChargeId());
            charges.send(Events.chargeDue(good.get(good.size() - 1)));
        }

        Map<String, Long> dead = deadLettersWhenDrained().stream()
                .collect(Collectors.groupingBy(
                        message -> attribute(message, "code") + " " + message.body(), Collectors.counting()));

        Map<String, Long> expected = invalid.stream()
                .collect(Collectors.groupingBy(body -> body.code() + " " + body.body(), Collectors.counting()));
        assertThat(dead).isEqualTo(expected);
        assertThat(good).allSatisfy(chargeId -> {
            assertThat(bank().debits(chargeId)).hasSize(1);
            assertThat(claim(chargeId).orElseThrow().attempts())
                    .as("first delivery")
                    .isEqualTo(1);
        });
        assertThat(claimKeys())
                .isNotEmpty()
                .noneMatch(key -> key.matches(".*#CHG-5\\d{3}\\b.*") && !key.matches(".*CHG-[0-9a-f]{8}-.*"))
                .noneMatch(key -> key.contains("#null"));
    }

    @Test
    void everyValidBodyReachesTheLedgerDigitForDigit() {
        List<ValidBodies.ValidBody> valid = ValidBodies.all();
        valid.forEach(body -> charges.send(body.body()));
        untilDrained();

        assertThat(deadLetters.size()).isZero();
        assertThat(valid)
                .allSatisfy(body -> assertThat(bank().debits(body.event().chargeId()))
                        .singleElement()
                        .satisfies(debit -> {
                            assertThat(debit.amount()).isEqualTo(body.event().amount());
                            assertThat(debit.currency()).isEqualTo(body.event().currency());
                        }));
    }

    @Test
    void aHostileAttributeSteersNothing() {
        // CVE-2026-46456: as a header this one turned the send to the dead-letter queue into a purge of it.
        deadLetters.send("a dead letter of before");
        String messageId = charges.send(
                "not json",
                Map.of(
                        "CamelAwsSqsOperation", "purgeQueue",
                        "CamelAwsSqsReceiptHandle", "forged",
                        "businessKey", "forged",
                        "code", "forged"));

        List<Message> dead = deadLettersWhenDrained();

        assertThat(dead)
                .hasSize(2)
                .filteredOn(message -> message.body().equals("not json"))
                .singleElement()
                .satisfies(message -> {
                    assertThat(attribute(message, "code")).isEqualTo("NOT_JSON");
                    assertThat(attribute(message, "originalMessageId")).isEqualTo(messageId);
                    assertThat(message.messageAttributes()).doesNotContainKeys("businessKey", "CamelAwsSqsOperation");
                });
    }
}
