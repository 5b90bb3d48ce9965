package com.finedge.once.dev;

import com.finedge.once.OnceApplication;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Claims;
import com.finedge.once.support.Events;
import com.finedge.once.support.Queue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateAsyncProcessor;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * The main job on embedded services: 20 charges delivered 26 times and debited 20 times, beside a charge that the bank
 * rejects and a message that is no charge; {@code make demo} calls it.
 */
public final class Demo {

    private static final int CHARGES = 20;
    private static final int SENT_AGAIN = 6;
    private static final Duration LONGEST = Duration.ofSeconds(50);
    private static final String REJECTED = "CHG-REJECTED";
    private static final String NO_CHARGE = "this is no charge";

    private final ConfigurableApplicationContext once;
    private final CoreBankingSimulator bank;
    private final Queue charges;
    private final Queue deadLetters;
    private final Map<String, Integer> sent = new LinkedHashMap<>();
    private final List<String> differences = new ArrayList<>();

    private Demo(ConfigurableApplicationContext once) {
        this.once = once;
        this.bank = once.getBean(CoreBankingSimulator.class);
        LocalResources resources = once.getBean(LocalResources.class);
        SqsClient sqs = once.getBean(SqsClient.class);
        this.charges = Queue.named(sqs, resources.queue());
        this.deadLetters = Queue.named(sqs, resources.deadLetterQueue());
    }

    public static void main(String[] args) {
        LocalAws.useLocalCredentials();
        System.out.println("demo: starting ElasticMQ (SQS), dynalite (DynamoDB), a bank and Once");
        boolean passed;
        try (ConfigurableApplicationContext once = new SpringApplicationBuilder(
                        OnceApplication.class, DevelopmentServices.class, Deliveries.class)
                .run(
                        "--server.address=127.0.0.1",
                        "--server.port=0",
                        "--management.server.address=127.0.0.1",
                        "--management.server.port=0",
                        "--logging.level.com.finedge.once=error",
                        // Short, so that what has to wait is seen to come back within the minute.
                        "--once.claims.lease=5s",
                        "--once.claims.max-hold=30s",
                        "--once.aws.call-timeout=3s",
                        "--once.core-banking.read-timeout=1s",
                        "--once.charges.back-off=1s",
                        "--once.charges.poll-wait=1s")) {
            passed = new Demo(once).run();
        }
        System.exit(passed ? 0 : 1);
    }

    private boolean run() {
        send();
        boolean drained = untilDrained();
        List<Message> dead = deadLetters.drain();
        report(drained, dead);
        return differences.isEmpty();
    }

    private void send() {
        List<String> ids = new ArrayList<>();
        for (int i = 1; i <= CHARGES; i++) {
            ids.add("CHG-%04d".formatted(i));
        }
        // The bank is slow with the first three, so that their duplicates meet a charge in flight ...
        ids.subList(0, 3).forEach(id -> bank.fault(id, Fault.slow(Duration.ofMillis(700))));
        // ... and with the fourth its answer gets lost after the money has moved.
        bank.fault(ids.get(3), Fault.timeoutAfter().times(1).delayedBy(Duration.ofSeconds(3)));
        bank.fault(REJECTED, Fault.reject("INSUFFICIENT_FUNDS"));

        List<String> deliveries = new ArrayList<>(ids);
        deliveries.addAll(ids.subList(0, SENT_AGAIN));
        deliveries.add(REJECTED);
        Collections.shuffle(deliveries, new Random(1));
        for (String id : deliveries) {
            charges.send(Events.chargeDue(id));
            sent.merge(id, 1, Integer::sum);
        }
        charges.send(NO_CHARGE);
        System.out.printf(
                "demo: sent %d charges in %d messages, one that the bank rejects, and one message that is no charge%n",
                CHARGES, CHARGES + SENT_AGAIN);
    }

    private boolean untilDrained() {
        Instant end = Instant.now().plus(LONGEST);
        int left = charges.size();
        while (left > 0 && Instant.now().isBefore(end)) {
            System.out.printf("demo: %d messages on the queue%n", left);
            pause();
            left = charges.size();
        }
        return left == 0;
    }

    private static void pause() {
        try {
            Thread.sleep(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report(boolean drained, List<Message> dead) {
        System.out.printf(
                "%n%-14s %5s %9s  %-12s %6s %13s  %s%n",
                "charge", "sent", "received", "claim", "debits", "notifications", "message ended");
        sent.keySet().stream().sorted().forEach(id -> row(id, dead));
        long noCharge = dead.stream()
                .filter(message -> message.body().equals(NO_CHARGE))
                .count();
        System.out.printf(
                "%-14s %5d %9s  %-12s %6s %13s  %s%n",
                "(no charge)", 1, "", "none", "", "", noCharge == 1 ? "dead-letter queue: NOT_JSON" : "?");
        expect(drained, "messages are left on the queue");
        expect(noCharge == 1, "the message that is no charge has " + noCharge + " copies in the dead-letter queue");
        expect(dead.size() == 2, "the dead-letter queue has " + dead.size() + " messages instead of 2");
        int debits = bank.debits().size();
        expect(debits == CHARGES, "the bank's ledger has " + debits + " debits instead of " + CHARGES);
        System.out.println();
        if (differences.isEmpty()) {
            System.out.printf(
                    "demo: PASS %d charges delivered %d times (received %d times, with those that had to wait) and debited"
                            + " %d times; 1 rejected, 1 refused%n",
                    CHARGES,
                    CHARGES + SENT_AGAIN,
                    once.getBean(Deliveries.class).ofAllBut(REJECTED),
                    debits);
        } else {
            System.out.println("demo: FAIL " + String.join("; ", differences));
        }
    }

    private void row(String id, List<Message> dead) {
        Optional<ClaimRecord> claim = once.getBean(Claims.class).find(new ChargeId(id).claimKey());
        String state = claim.map(ClaimRecord::state).map(ClaimState::name).orElse("none");
        int debits = bank.debits(id).size();
        int notifications = bank.notifications(id).size();
        List<String> codes = dead.stream()
                .filter(message -> id.equals(attribute(message, "businessKey")))
                .map(message -> attribute(message, "code"))
                .toList();
        System.out.printf(
                "%-14s %5d %9d  %-12s %6d %13d  %s%n",
                id,
                sent.get(id),
                once.getBean(Deliveries.class).of(id),
                state,
                debits,
                notifications,
                codes.isEmpty() ? "deleted" : "dead-letter queue: " + String.join(", ", codes));
        boolean rejected = id.equals(REJECTED);
        String expectedState = rejected ? "FAILED" : "DONE";
        int expected = rejected ? 0 : 1;
        expect(state.equals(expectedState), id + " is " + state + " instead of " + expectedState);
        expect(debits == expected, id + " was debited " + debits + " times instead of " + expected);
        expect(notifications == expected, id + " was notified " + notifications + " times instead of " + expected);
        expect(codes.size() == (rejected ? 1 : 0), id + " has " + codes.size() + " dead letters");
    }

    private static String attribute(Message message, String name) {
        var value = message.messageAttributes().get(name);
        return value == null ? "" : value.stringValue();
    }

    private void expect(boolean condition, String otherwise) {
        if (!condition) {
            differences.add(otherwise);
        }
    }

    /** Counts how often each charge was really delivered: more often than sent where a duplicate had to wait. */
    static final class Deliveries implements InterceptStrategy {

        private final ConcurrentMap<String, AtomicInteger> counts = new ConcurrentHashMap<>();

        int ofAllBut(String chargeId) {
            return counts.values().stream().mapToInt(AtomicInteger::get).sum() - of(chargeId);
        }

        int of(String chargeId) {
            return counts.getOrDefault(chargeId, new AtomicInteger()).get();
        }

        @Override
        public Processor wrapProcessorInInterceptors(
                CamelContext camel, NamedNode node, Processor target, Processor next) {
            if (!"claim-charge".equals(node.getId())) {
                return target;
            }
            return new DelegateAsyncProcessor(target) {
                @Override
                public boolean process(Exchange exchange, AsyncCallback callback) {
                    count(exchange);
                    return super.process(exchange, callback);
                }
            };
        }

        private void count(Exchange exchange) {
            var charge = exchange.getVariable("charge", Charge.class);
            if (charge != null) {
                counts.computeIfAbsent(charge.id().value(), id -> new AtomicInteger())
                        .incrementAndGet();
            }
        }
    }
}
