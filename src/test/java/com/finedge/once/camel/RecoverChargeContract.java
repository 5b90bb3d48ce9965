package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.adapter.json.ChargeDueEventJson;
import com.finedge.once.adapter.opentelemetry.Traces;
import com.finedge.once.adapter.sqs.SqsMessages;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.charge.ChargeRecoveryService;
import com.finedge.once.charge.DebitResult;
import com.finedge.once.charge.RecordingBank;
import com.finedge.once.charge.RecordingNotifications;
import com.finedge.once.charge.RecordingOutcomes;
import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.ClaimWrite;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Heartbeat;
import com.finedge.once.contract.ChargeFailed;
import com.finedge.once.contract.ChargeRecovered;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.retry.BackOff;
import com.finedge.once.support.ForwardingClaimStore;
import com.finedge.once.support.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.aws2.sqs.Sqs2Constants;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResultEntry;

/** What the route recover-charge does with each message, however it is written down: in YAML or in the Java DSL. */
abstract class RecoverChargeContract {

    /** Where the tests put messages in, instead of SQS. */
    protected static final String ENTRY = "direct:charges";

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int MAX_ATTEMPTS = 3;

    private final SettableClock clock = new SettableClock();
    private final FaultyStore store = new FaultyStore();
    private final Claims claims =
            new Claims(store, LEASE, Duration.ofDays(60), clock, UUID::randomUUID, ClaimListener.NONE);
    private final RecordingBank bank = new RecordingBank();
    private final RecordingNotifications notifications = new RecordingNotifications();
    private final RecordingOutcomes outcomes = new RecordingOutcomes();
    private final List<InvalidMessageException.Code> refused = new ArrayList<>();
    private final Heartbeat heartbeat =
            new Heartbeat(claims, LEASE, Duration.ofSeconds(60), Duration.ofMinutes(5), clock, ClaimListener.NONE);
    private final DefaultCamelContext camel = new DefaultCamelContext();
    private final List<Integer> hiddenForSeconds = new CopyOnWriteArrayList<>();
    private int messages;

    /** Adds the route under test, fed from {@link #ENTRY}. */
    protected abstract void addRoute(DefaultCamelContext camel) throws Exception;

    @BeforeEach
    void start() throws Exception {
        Properties properties = new Properties();
        properties.put("once.charges.queue", "charges");
        camel.getPropertiesComponent().setOverrideProperties(properties);
        ChargeRecoveryService service = new ChargeRecoveryService(
                claims,
                bank,
                notifications,
                outcomes,
                clock,
                MAX_ATTEMPTS,
                new BackOff(Duration.ofSeconds(5), Duration.ofMinutes(15)),
                new SplittableRandom(1));
        camel.getRegistry()
                .bind(
                        "charges",
                        new ChargeSteps(
                                service,
                                new ChargeDueEventJson(),
                                Set.of("SMS_ALERT_FEE"),
                                heartbeat,
                                refused::add,
                                clock,
                                new SplittableRandom(1)));
        camel.getRegistry()
                .bind(
                        "messages",
                        new MessageSteps(
                                new SqsMessages(new Hiding(), Duration.ofSeconds(1)),
                                new SqsQueues(new NoSqs()),
                                heartbeat,
                                clock,
                                Traces.NONE));
        camel.getRegistry().bind("inFlightMessages", Executors.newVirtualThreadPerTaskExecutor());
        addRoute(camel);
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:delete-message").to("mock:deleted");
                from("direct:defer-message").to("mock:deferred");
                from("direct:dead-letter-message").to("mock:dead-lettered");
            }
        });
        camel.start();
    }

    @AfterEach
    void stop() {
        camel.stop();
    }

    private static String event(String chargeId, String amount) {
        return """
                {"schemaVersion":1,"eventId":"%s","chargeId":"%s","accountId":"ACC-42","chargeType":"SMS_ALERT_FEE",\
                "amount":"%s","currency":"EUR","dueAt":"2026-03-01T00:00:00Z","occurredAt":"2026-03-01T10:00:00Z"}""".formatted(UUID.randomUUID(), chargeId, amount);
    }

    private Exchange deliver(String body) {
        int number = ++messages;
        return camel.createProducerTemplate().send(ENTRY, exchange -> {
            exchange.getMessage().setBody(body);
            exchange.getMessage().setHeader(Sqs2Constants.MESSAGE_ID, "message-" + number);
            exchange.getMessage().setHeader(Sqs2Constants.RECEIPT_HANDLE, "receipt-" + number);
        });
    }

    private List<Exchange> at(String end) {
        return camel.getEndpoint("mock:" + end, MockEndpoint.class).getExchanges();
    }

    private void ended(int deleted, int deferred, int deadLettered) {
        assertThat(at("deleted")).as("deleted").hasSize(deleted);
        assertThat(at("deferred")).as("deferred").hasSize(deferred);
        assertThat(at("dead-lettered")).as("dead-lettered").hasSize(deadLettered);
    }

    private static <T> @Nullable T variable(Exchange exchange, String name, Class<T> type) {
        return exchange.getVariable(name, type);
    }

    private ClaimRecord claim(String chargeId) {
        return claims.find(new ChargeId(chargeId).claimKey()).orElseThrow();
    }

    /** As another pod would: claims and goes on holding. */
    private ClaimResult claimElsewhere(String chargeId, String amount) {
        return claims.claim(
                new ChargeId(chargeId).claimKey(),
                Charge.of(new ChargeDueEventJson().read(event(chargeId, amount)))
                        .fingerprint());
    }

    @Test
    void aChargeIsDebitedNotifiedRecordedAndItsMessageDeleted() {
        Exchange exchange = deliver(event("CHG-1", "19.90"));

        assertThat(exchange.getException()).isNull();
        ended(1, 0, 0);
        assertThat(heartbeat.holding()).isZero();
        assertThat(bank.debits()).isEqualTo(1);
        assertThat(notifications.sent()).singleElement().satisfies(sent -> {
            assertThat(sent.id()).isEqualTo("debit-notice:CHG-1");
            assertThat(sent.debitReference()).isEqualTo("D-1");
        });
        assertThat(claim("CHG-1").state()).isEqualTo(ClaimState.DONE);
        assertThat(claim("CHG-1").outcome()).isEqualTo("DEBITED");
        assertThat(claim("CHG-1").detail()).containsEntry("debitReference", "D-1");
    }

    @Test
    void aDuplicateOfADoneChargeIsDeletedAndNothingElse() {
        deliver(event("CHG-1", "19.90"));
        deliver(event("CHG-1", "19.9"));

        ended(2, 0, 0);
        assertThat(bank.calls()).isEqualTo(1);
        assertThat(notifications.sent()).hasSize(1);
    }

    @Test
    void aDuplicateInFlightIsPutOffToTheEndOfTheLeaseAndNotAcknowledged() {
        claimElsewhere("CHG-1", "19.90");
        clock.advance(Duration.ofSeconds(10));

        deliver(event("CHG-1", "19.90"));

        ended(0, 1, 0);
        assertThat(variable(at("deferred").get(0), "delay", Duration.class))
                .isBetween(Duration.ofSeconds(21), Duration.ofSeconds(23));
        assertThat(bank.calls()).isZero();
    }

    @Test
    void anExpiredLeaseIsTakenOver() {
        claimElsewhere("CHG-1", "19.90");
        clock.advance(LEASE.plusMillis(1));

        deliver(event("CHG-1", "19.90"));

        ended(1, 0, 0);
        assertThat(bank.debits()).isEqualTo(1);
        assertThat(claim("CHG-1").fence()).isEqualTo(2);
    }

    /** Charges that went down with their process come back at different times, or the next one would take them all again. */
    @Test
    void aChargeThatIsTakenOverIsHiddenForLongerWithEachAttemptAndByChance() {
        deliver(event("CHG-1", "19.90"));
        assertThat(hiddenForSeconds).as("of a first attempt").isEmpty();

        deliverAfterCrashes("CHG-2-", 1);
        assertThat(hiddenForSeconds)
                .hasSize(5)
                .allSatisfy(hidden -> assertThat(hidden).isBetween(60, 70));
        assertThat(Set.copyOf(hiddenForSeconds)).hasSizeGreaterThan(1);

        hiddenForSeconds.clear();
        deliverAfterCrashes("CHG-3-", 5);
        assertThat(hiddenForSeconds)
                .hasSize(5)
                .allSatisfy(hidden -> assertThat(hidden).isBetween(60, 220))
                .anySatisfy(hidden -> assertThat(hidden).isGreaterThan(70));
    }

    /** Delivers five charges, each taken over from so many owners one after another. */
    private void deliverAfterCrashes(String chargeIds, int crashes) {
        for (int charge = 1; charge <= 5; charge++) {
            for (int crash = 1; crash <= crashes; crash++) {
                claimElsewhere(chargeIds + charge, "19.90");
                clock.advance(LEASE.plusMillis(1));
            }
            deliver(event(chargeIds + charge, "19.90"));
        }
    }

    @Test
    void aPermanentFailureIsRecordedAndDeadLettered() {
        bank.answersNext(new DebitResult.Rejected("INSUFFICIENT_FUNDS"));

        deliver(event("CHG-1", "19.90"));
        deliver(event("CHG-1", "19.90"));

        ended(0, 0, 2);
        assertThat(claim("CHG-1").state()).isEqualTo(ClaimState.FAILED);
        assertThat(claim("CHG-1").outcome()).isEqualTo("INSUFFICIENT_FUNDS");
        assertThat(at("dead-lettered"))
                .allSatisfy(
                        copy -> assertThat(variable(copy, "code", String.class)).isEqualTo("INSUFFICIENT_FUNDS"));
        assertThat(variable(at("dead-lettered").get(0), "businessKey", String.class))
                .isEqualTo("CHG-1");
        assertThat(bank.calls()).isEqualTo(1);
        assertThat(notifications.sent()).isEmpty();
    }

    @Test
    void howAChargeEndedIsPublishedOnce() {
        bank.answersNext(new DebitResult.Rejected("INSUFFICIENT_FUNDS"));
        deliver(event("CHG-1", "19.90"));
        deliver(event("CHG-2", "7"));
        notifications.fail("the notification service answered 500");
        deliver(event("CHG-3", "19.90"));
        for (String chargeId : List.of("CHG-1", "CHG-2", "CHG-3")) {
            deliver(event(chargeId, chargeId.equals("CHG-2") ? "7" : "19.90"));
        }

        assertThat(outcomes.published())
                .containsExactly(
                        ChargeFailed.of("CHG-1", 1, "INSUFFICIENT_FUNDS", "rejected by the bank", clock.instant()),
                        ChargeRecovered.of(
                                "CHG-2",
                                ChargeRecovered.Outcome.DEBITED,
                                "7.00",
                                "EUR",
                                Optional.of("D-1"),
                                clock.instant()),
                        ChargeRecovered.of(
                                "CHG-3",
                                ChargeRecovered.Outcome.DEBITED_NOTIFICATION_FAILED,
                                "19.90",
                                "EUR",
                                Optional.of("D-2"),
                                clock.instant()));
    }

    /** An end that others were not told of must not be recorded: no later delivery would tell them. */
    @Test
    void anEndThatCannotBePublishedIsNotRecordedAndNotDebitedAgain() {
        outcomes.down(true);
        deliver(event("CHG-1", "19.90"));

        ended(0, 1, 0);
        assertThat(claim("CHG-1").state()).isEqualTo(ClaimState.IN_PROGRESS);
        assertThat(claim("CHG-1").owner()).isNull();

        outcomes.down(false);
        deliver(event("CHG-1", "19.90"));

        ended(1, 1, 0);
        assertThat(claim("CHG-1").state()).isEqualTo(ClaimState.DONE);
        assertThat(outcomes.published()).hasSize(1);
        assertThat(bank.debits()).isEqualTo(1);
    }

    @Test
    void aRefusalThatCannotBePublishedIsNotRecorded() {
        outcomes.down(true);
        bank.answersNext(new DebitResult.Rejected("INSUFFICIENT_FUNDS"));

        deliver(event("CHG-1", "19.90"));

        ended(0, 1, 0);
        assertThat(claim("CHG-1").state()).isEqualTo(ClaimState.IN_PROGRESS);
    }

    /** Also where the bank writes its codes and references in ways that the contract has no room for. */
    @Test
    void whatTheBankSaysInOddFormsIsPublishedWithoutIt() {
        bank.answersNext(new DebitResult.Rejected("nicht gedeckt!"));
        deliver(event("CHG-1", "19.90"));
        bank.answersNext(new DebitResult.Debited("Ü".repeat(500)));
        deliver(event("CHG-2", "19.90"));

        ended(1, 0, 1);
        assertThat(outcomes.published())
                .containsExactly(
                        ChargeFailed.of("CHG-1", 1, "REJECTED", "rejected by the bank", clock.instant()),
                        ChargeRecovered.of(
                                "CHG-2",
                                ChargeRecovered.Outcome.DEBITED,
                                "19.90",
                                "EUR",
                                Optional.empty(),
                                clock.instant()));
    }

    @Test
    void aFailedNotificationDoesNotTouchTheDebit() {
        notifications.fail("the notification service answered 500");

        deliver(event("CHG-1", "19.90"));
        deliver(event("CHG-1", "19.90"));

        ended(2, 0, 0);
        assertThat(bank.calls()).isEqualTo(1);
        assertThat(claim("CHG-1").state()).isEqualTo(ClaimState.DONE);
        assertThat(claim("CHG-1").outcome()).isEqualTo("DEBITED_NOTIFICATION_FAILED");
        assertThat(claim("CHG-1").detail())
                .containsEntry("debitReference", "D-1")
                .containsEntry("notification", "the notification service answered 500");
    }

    @Test
    void theSameKeyWithOtherContentIsAConflictAndNeverTouchesTheClaim() {
        deliver(event("CHG-1", "19.90"));
        ClaimRecord before = claim("CHG-1");

        deliver(event("CHG-1", "1990.00"));

        ended(1, 0, 1);
        assertThat(variable(at("dead-lettered").get(0), "code", String.class)).isEqualTo("CONFLICT");
        assertThat(variable(at("dead-lettered").get(0), "reason", String.class)).contains("payload differs");
        assertThat(claim("CHG-1")).isEqualTo(before);
        assertThat(bank.debits()).isEqualTo(1);
    }

    @Test
    void anUnavailableBankPostponesTheChargeWithItsClaimReleased() {
        bank.answersNext(new DebitResult.Unavailable("the bank answered 503"));

        deliver(event("CHG-1", "19.90"));

        ended(0, 1, 0);
        assertThat(claim("CHG-1").state()).isEqualTo(ClaimState.IN_PROGRESS);
        assertThat(claim("CHG-1").owner()).isNull();
        assertThat(variable(at("deferred").get(0), "delay", Duration.class))
                .isBetween(Duration.ZERO, Duration.ofSeconds(5));

        deliver(event("CHG-1", "19.90"));
        ended(1, 1, 0);
        assertThat(bank.debits()).isEqualTo(1);
    }

    @Test
    void aTimeOutAfterTheDebitEndsInOneDebit() {
        bank.answersNext(new DebitResult.Unknown("the bank did not answer in time or broke off"));

        deliver(event("CHG-1", "19.90"));
        ended(0, 1, 0);
        deliver(event("CHG-1", "19.90"));

        ended(1, 1, 0);
        assertThat(bank.calls()).isEqualTo(2);
        assertThat(bank.debits()).isEqualTo(1);
        assertThat(claim("CHG-1").detail()).containsEntry("debitReference", "D-1");
    }

    @Test
    void spentAttemptsFailByWhatTheLastOneLeftOpen() {
        DebitResult.Unavailable unavailable = new DebitResult.Unavailable("the bank answered 503");
        DebitResult.Unknown unknown = new DebitResult.Unknown("the bank did not answer in time or broke off");
        bank.answersNext(unknown, unavailable, unavailable, unavailable, unavailable, unknown);

        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            deliver(event("CHG-1", "19.90"));
        }
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            deliver(event("CHG-2", "19.90"));
        }

        ended(0, 4, 2);
        assertThat(claim("CHG-1").outcome()).isEqualTo("RETRIES_EXHAUSTED");
        assertThat(claim("CHG-2").outcome()).isEqualTo("OUTCOME_UNKNOWN");
        assertThat(claim("CHG-2").detail()).containsEntry("failure", "TECHNICAL");
    }

    @Test
    void aLeaseLostMeanwhileLeavesTheMessageToItsNextDelivery() {
        store.beforeFinish = () -> {
            clock.advance(LEASE.plusMillis(1));
            claimElsewhere("CHG-1", "19.90");
        };

        Exchange exchange = deliver(event("CHG-1", "19.90"));

        assertThat(exchange.getException()).isNull();
        ended(0, 0, 0);
        assertThat(claim("CHG-1").state()).isEqualTo(ClaimState.IN_PROGRESS);
        assertThat(claim("CHG-1").fence()).isEqualTo(2);
    }

    @Test
    void anInvalidMessageIsDeadLetteredWithoutAClaim() {
        deliver("not json");
        deliver(event("CHG-1", "-19.90"));
        deliver(event("CHG-1", "19.90").replace("SMS_ALERT_FEE", "SMS_ALERT_FEE_V2"));

        ended(0, 0, 3);
        assertThat(refused)
                .containsExactly(
                        InvalidMessageException.Code.NOT_JSON,
                        InvalidMessageException.Code.INVALID_VALUE,
                        InvalidMessageException.Code.UNKNOWN_CHARGE_TYPE);
        assertThat(variable(at("dead-lettered").get(0), "code", String.class)).isEqualTo("NOT_JSON");
        assertThat(variable(at("dead-lettered").get(1), "reason", String.class))
                .contains("amount")
                .doesNotContain("19.90");
        assertThat(claims.find(new ChargeId("CHG-1").claimKey())).isEmpty();
        assertThat(bank.calls()).isZero();
    }

    @Test
    void aBrokenClaimStoreFailsTheDeliveryAndAcknowledgesNothing() {
        store.broken = true;

        Exchange exchange = deliver(event("CHG-1", "19.90"));

        assertThat(exchange.getException()).isInstanceOf(ClaimStoreException.class);
        ended(0, 0, 0);
        assertThat(bank.calls()).isZero();
    }

    @Test
    void aStoreThatBreaksAfterTheDebitCostsASecondAttemptAndNoSecondDebit() {
        store.beforeFinish = () -> {
            throw new ClaimStoreException("down");
        };
        Exchange exchange = deliver(event("CHG-1", "19.90"));
        assertThat(exchange.getException()).isNotNull();
        ended(0, 0, 0);

        store.beforeFinish = () -> {};
        clock.advance(LEASE.plusMillis(1));
        deliver(event("CHG-1", "19.90"));

        ended(1, 0, 0);
        assertThat(bank.calls()).isEqualTo(2);
        assertThat(bank.debits()).isEqualTo(1);
    }

    @Test
    void aMissingHeaderFailsTheDeliveryBeforeAnythingIsClaimed() {
        Exchange exchange =
                camel.createProducerTemplate().send(ENTRY, e -> e.getMessage().setBody(event("CHG-1", "19.90")));

        assertThat(exchange.getException()).isInstanceOf(IllegalStateException.class);
        assertThat(claims.find(new ChargeId("CHG-1").claimKey())).isEmpty();
    }

    /** Takes changes of visibility, and nothing else. */
    private final class Hiding extends NoSqs.Async {

        @Override
        public CompletableFuture<ChangeMessageVisibilityBatchResponse> changeMessageVisibilityBatch(
                ChangeMessageVisibilityBatchRequest request) {
            request.entries().forEach(entry -> hiddenForSeconds.add(entry.visibilityTimeout()));
            return CompletableFuture.completedFuture(ChangeMessageVisibilityBatchResponse.builder()
                    .successful(request.entries().stream()
                            .map(entry -> ChangeMessageVisibilityBatchResultEntry.builder()
                                    .id(entry.id())
                                    .build())
                            .toList())
                    .failed(List.of())
                    .build());
        }
    }

    /** The store in memory, with faults. */
    private static final class FaultyStore extends ForwardingClaimStore {

        private boolean broken;
        private Runnable beforeFinish = () -> {};

        @Override
        public ClaimResult claim(ClaimRequest request) {
            if (broken) {
                throw new ClaimStoreException("down");
            }
            return super.claim(request);
        }

        @Override
        public ClaimWrite finish(Claim claim, ClaimEnd end) {
            beforeFinish.run();
            return super.finish(claim, end);
        }
    }
}
