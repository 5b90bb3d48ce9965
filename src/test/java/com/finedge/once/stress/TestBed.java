package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.adapter.dynamodb.DynamoClaimStore;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.dev.CoreBankingSimulator;
import com.finedge.once.dev.Debit;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.Notification;
import com.finedge.once.support.Events;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Queues, a table and short times of a test's own, and what is to be true of them afterwards. */
final class TestBed {

    static final Duration LEASE = Duration.ofSeconds(4);

    private static final LocalServices SERVICES = LocalServices.shared();

    private final Map<String, String> settings;
    private final Queue charges;
    private final Queue deadLetters;
    private final ClaimStore claims;

    private TestBed(LocalResources wanted) {
        LocalResources resources = SERVICES.create(wanted);
        settings = new HashMap<>(SERVICES.properties(resources));
        settings.put("once.claims.lease", LEASE.toSeconds() + "s");
        settings.put("once.claims.max-hold", "30s");
        settings.put("once.circuit-pause", "1s");
        settings.put("once.aws.call-timeout", "3s");
        settings.put("once.core-banking.connect-timeout", "1s");
        settings.put("once.core-banking.read-timeout", "2s");
        settings.put("once.charges.back-off", "1s");
        settings.put("once.charges.max-back-off", "4s");
        charges = Queue.named(SERVICES.sqs(), resources.queue());
        deadLetters = Queue.named(SERVICES.sqs(), resources.deadLetterQueue());
        claims = new DynamoClaimStore(SERVICES.dynamoDb(), resources.table());
    }

    /** With messages that stay hidden for 6 s. */
    static TestBed quick() {
        return withVisibility(Duration.ofSeconds(6));
    }

    /** With messages that stay hidden for that long. */
    static TestBed withVisibility(Duration visibility) {
        return new TestBed(LocalResources.unique().withVisibility(visibility));
    }

    /** The same where SQS gives a message up after the fewest receives that the application starts with: three, and one a lease. */
    static TestBed withFewReceives(Duration visibility, int leasesHeld) {
        return new TestBed(LocalResources.unique().withVisibility(visibility).withMaxReceiveCount(3 + leasesHeld))
                .set("once.charges.max-attempts", "1")
                .set("once.claims.max-hold", LEASE.multipliedBy(leasesHeld).toSeconds() + "s");
    }

    TestBed set(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** A proxy that the application started from now on meets in place of DynamoDB. */
    FaultProxy beforeDynamoDb() {
        return before("once.aws.dynamodb-endpoint");
    }

    /** A proxy that the application started from now on meets in place of SQS. */
    FaultProxy beforeSqs() {
        return before("once.aws.sqs-endpoint");
    }

    private FaultProxy before(String setting) {
        FaultProxy proxy = FaultProxy.before(URI.create(settings.getOrDefault(setting, "")));
        settings.put(setting, proxy.endpoint().toString());
        return proxy;
    }

    Map<String, String> settings() {
        return settings;
    }

    RunningOnce start(Class<?>... more) {
        return RunningOnce.start(settings, more);
    }

    Queue charges() {
        return charges;
    }

    Queue deadLetters() {
        return deadLetters;
    }

    CoreBankingSimulator bank() {
        return SERVICES.bank();
    }

    /** So many charge ids that no other test uses. */
    static List<String> chargeIds(int count) {
        return Stream.generate(Events::newChargeId).limit(count).toList();
    }

    /** Sends a message for each charge. */
    void send(List<String> chargeIds) {
        chargeIds.forEach(chargeId -> charges.send(Events.chargeDue(chargeId)));
    }

    /** Sends messages for so many new charges. */
    List<String> send(int count) {
        List<String> chargeIds = chargeIds(count);
        send(chargeIds);
        return chargeIds;
    }

    /** Whether the charge was ever claimed. */
    boolean isClaimed(String chargeId) {
        return claims.find(new ChargeId(chargeId).claimKey()).isPresent();
    }

    ClaimRecord claim(String chargeId) {
        return claims.find(new ChargeId(chargeId).claimKey())
                .orElseThrow(() -> new AssertionError("no claim of " + chargeId));
    }

    boolean isDone(String chargeId) {
        return isClaimed(chargeId) && claim(chargeId).state() == ClaimState.DONE;
    }

    /** Waits until the queue is empty, hidden messages included. */
    void untilDrained(Duration longest) {
        await("the queue to be empty").atMost(longest).until(() -> charges.size() == 0);
    }

    /** All charges are DONE, each with one debit and one notification, and no message is dead. */
    void allDoneOnce(List<String> chargeIds) {
        Map<String, Long> debits = counted(bank().debits().stream().map(Debit::chargeId));
        Map<String, Long> notifications =
                counted(bank().notifications().stream().map(Notification::chargeId));
        assertThat(chargeIds).allSatisfy(chargeId -> {
            assertThat(claim(chargeId).state()).isEqualTo(ClaimState.DONE);
            assertThat(debits.get(chargeId)).as("debits").isEqualTo(1);
            assertThat(notifications.get(chargeId)).as("notifications").isEqualTo(1);
        });
        assertThat(deadLetters.size()).as("dead letters").isZero();
    }

    private static Map<String, Long> counted(Stream<String> chargeIds) {
        return chargeIds.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    /** How often the charges were run, all together. */
    long attempts(List<String> chargeIds) {
        return chargeIds.stream()
                .mapToLong(chargeId -> claim(chargeId).attempts())
                .sum();
    }

    /** What a counter of the application says, whatever its tags. */
    static double count(RunningOnce once, String meter, String... tags) {
        return once.bean(MeterRegistry.class).find(meter).tags(tags).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    /** What a gauge of the application says. */
    static double gauge(RunningOnce once, String meter) {
        return once.bean(MeterRegistry.class).get(meter).gauge().value();
    }
}
