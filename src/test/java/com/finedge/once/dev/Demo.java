package com.finedge.once.dev;

import com.finedge.once.OnceApplication;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Claims;
import com.finedge.once.support.Events;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.Queue;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.springframework.jdbc.core.simple.JdbcClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * The main job on embedded services: 20 charges raised over HTTP, brought to their queue by an outbox whose relay is killed
 * between sending and marking, delivered more than once, and debited 20 times; beside them a charge that the bank rejects and
 * a message that is no charge. {@code make demo} calls it.
 */
public final class Demo {

    private static final int CHARGES = 20;
    private static final int BY_THE_KILLED = 10;
    private static final int SENT_AGAIN = 6;
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(3);
    private static final String OUTCOMES = "charge-outcomes";
    private static final String REJECTED = "CHG-REJECTED";
    private static final String NO_CHARGE = "this is no charge";

    private final ConfigurableApplicationContext once;
    private final CoreBankingSimulator bank;
    private final ElasticMqServer sqsServer;
    private final PostgresServer.Database database;
    private final Queue charges;
    private final Queue outcomes;
    private final Queue deadLetters;
    private final Map<String, Integer> sent = new LinkedHashMap<>();
    private final Map<String, String> billed = new LinkedHashMap<>();
    private final List<String> differences = new ArrayList<>();

    private Demo(ConfigurableApplicationContext once) {
        this.once = once;
        this.bank = once.getBean(CoreBankingSimulator.class);
        this.sqsServer = once.getBean(ElasticMqServer.class);
        this.database = once.getBean(PostgresServer.Database.class);
        LocalResources resources = once.getBean(LocalResources.class);
        SqsClient sqs = once.getBean(SqsClient.class);
        this.charges = Queue.named(sqs, resources.queue());
        this.outcomes = Queue.named(sqs, OUTCOMES);
        this.deadLetters = Queue.named(sqs, resources.deadLetterQueue());
    }

    public static void main(String[] args) {
        LocalAws.useLocalCredentials();
        System.out.println(
                "demo: starting ElasticMQ (SQS), dynalite (DynamoDB), PostgreSQL, a bank and Once's charge recovery");
        boolean passed;
        try (ConfigurableApplicationContext once = new SpringApplicationBuilder(
                        OnceApplication.class, DevelopmentServices.class, Deliveries.class)
                .run(
                        "--server.address=127.0.0.1",
                        "--server.port=0",
                        "--management.server.address=127.0.0.1",
                        "--management.server.port=0",
                        "--logging.level.com.finedge.once=error",
                        "--once.roles=charge-recovery",
                        "--once.charges.outcomes-queue=" + OUTCOMES,
                        // Short, so that what has to wait is seen to come back within the minute.
                        "--once.claims.lease=5s",
                        "--once.claims.max-hold=30s",
                        "--once.aws.call-timeout=" + CALL_TIMEOUT.toSeconds() + "s",
                        "--once.core-banking.read-timeout=1s",
                        "--once.charges.back-off=1s",
                        "--once.charges.poll-wait=1s")) {
            passed = new Demo(once).run();
        }
        System.exit(passed ? 0 : 1);
    }

    private boolean run() {
        List<String> ids = new ArrayList<>();
        for (int i = 1; i <= CHARGES; i++) {
            ids.add("CHG-%04d".formatted(i));
        }
        // The bank is slow with the first three, so that their duplicates meet a charge in flight ...
        ids.subList(0, 3).forEach(id -> bank.fault(id, Fault.slow(Duration.ofMillis(700))));
        // ... and with the fourth its answer gets lost after the money has moved.
        bank.fault(ids.get(3), Fault.timeoutAfter().times(1).delayedBy(Duration.ofSeconds(3)));
        bank.fault(REJECTED, Fault.reject("INSUFFICIENT_FUNDS"));

        killBetweenSendingAndMarking(ids.subList(0, BY_THE_KILLED));
        try (BillingPod pod = BillingPod.start(settings(sqsServer.endpoint()))) {
            System.out.println("demo: another billing process takes over what the killed one has left behind");
            ids.subList(BY_THE_KILLED, CHARGES).forEach(id -> raise(pod, id));
            raise(pod, REJECTED);
            sendAgain(ids.subList(0, SENT_AGAIN));
            charges.send(NO_CHARGE);
            boolean drained = untilDrained();
            sent.keySet().forEach(id -> billed.put(id, pod.stateOf(id)));
            countRelayed();
            report(drained, deadLetters.drain());
        }
        return differences.isEmpty();
    }

    private Map<String, String> settings(URI sqsEndpoint) {
        Map<String, String> settings = new HashMap<>(database.properties());
        settings.putAll(LocalAws.credentials());
        settings.put("once.roles", "billing");
        settings.put("once.charges.outcomes-queue", OUTCOMES);
        settings.put("once.aws.sqs-endpoint", sqsEndpoint.toString());
        settings.put("once.aws.call-timeout", CALL_TIMEOUT.toSeconds() + "s");
        // What the killed process had received comes back after this.
        settings.put("once.charges.visibility", "5s");
        settings.put("once.outbox.lease", CALL_TIMEOUT.toSeconds() * 2 + 1 + "s");
        return settings;
    }

    /** SQS has the messages, and whoever sent them dies before it hears so. */
    private void killBetweenSendingAndMarking(List<String> ids) {
        try (FaultProxy proxy = FaultProxy.before(sqsServer.endpoint());
                BillingPod pod = BillingPod.start(settings(proxy.endpoint()))) {
            FaultProxy.Faulty answers = proxy.on("SendMessageBatch").delayAnswer(LONGEST);
            ids.forEach(id -> raise(pod, id));
            Instant end = Instant.now().plus(LONGEST);
            while (answers.hits() == 0 && Instant.now().isBefore(end)) {
                pause(Duration.ofMillis(20));
            }
            pod.kill();
        }
        System.out.printf(
                "demo: raised %d charges over HTTP; killed the process when its relay had sent and not yet marked%n",
                ids.size());
    }

    /** Twice, as a caller does that has missed the answer: the same key is the same charge. */
    private void raise(BillingPod pod, String id) {
        String first = pod.raise(id);
        expect(first.equals(pod.raise(id)), id + " has another answer to the same request");
        sent.put(id, 1);
    }

    private void sendAgain(List<String> ids) {
        for (String id : ids) {
            charges.send(Events.chargeDue(id));
            sent.merge(id, 1, Integer::sum);
        }
        System.out.printf(
                "demo: %d of them delivered once more, as SQS may, and one message that is no charge%n", ids.size());
    }

    /** What a relay has leased twice it has sent twice: here nothing else goes wrong with sending. */
    private void countRelayed() {
        JdbcClient.create(database.dataSource())
                .sql("SELECT body::json ->> 'chargeId' FROM outbox WHERE version > 1")
                .query(String.class)
                .list()
                .forEach(id -> sent.merge(id, 1, Integer::sum));
        expect(sent.values().stream().anyMatch(count -> count > 1), "no message was sent twice by the relays");
    }

    private boolean untilDrained() {
        Instant end = Instant.now().plus(LONGEST);
        long said = -1;
        long left = left();
        while (left > 0 && Instant.now().isBefore(end)) {
            if (left != said) {
                System.out.printf("demo: %d messages on their way%n", left);
                said = left;
            }
            pause(Duration.ofSeconds(1));
            left = left();
        }
        return left == 0;
    }

    private long left() {
        long inOutbox = JdbcClient.create(database.dataSource())
                .sql("SELECT count(*) FROM outbox WHERE state = 'PENDING'")
                .query(Long.class)
                .single();
        return inOutbox + charges.size() + outcomes.size();
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report(boolean drained, List<Message> dead) {
        System.out.printf(
                "%n%-14s %5s %9s  %-12s %6s %13s  %-10s  %s%n",
                "charge", "sent", "received", "claim", "debits", "notifications", "billing", "message ended");
        sent.keySet().stream().sorted().forEach(id -> row(id, dead));
        long noCharge = dead.stream()
                .filter(message -> message.body().equals(NO_CHARGE))
                .count();
        System.out.printf(
                "%-14s %5d %9s  %-12s %6s %13s  %-10s  %s%n",
                "(no charge)", 1, "", "none", "", "", "", noCharge == 1 ? "dead-letter queue: NOT_JSON" : "?");
        expect(drained, "messages are left on a queue or in the outbox");
        expect(noCharge == 1, "the message that is no charge has " + noCharge + " copies in the dead-letter queue");
        int rejected = sent.getOrDefault(REJECTED, 0);
        expect(
                dead.size() == 1 + rejected,
                "the dead-letter queue has " + dead.size() + " messages instead of " + (1 + rejected));
        int debits = bank.debits().size();
        expect(debits == CHARGES, "the bank's ledger has " + debits + " debits instead of " + CHARGES);
        System.out.println();
        if (differences.isEmpty()) {
            System.out.printf(
                    "demo: PASS %d charges sent %d times (received %d times, with those that had to wait) and debited %d times;"
                            + " 1 rejected, 1 refused%n",
                    CHARGES,
                    sent.values().stream().mapToInt(Integer::intValue).sum() - rejected,
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
                "%-14s %5d %9d  %-12s %6d %13d  %-10s  %s%n",
                id,
                sent.get(id),
                once.getBean(Deliveries.class).of(id),
                state,
                debits,
                notifications,
                billed.get(id),
                codes.isEmpty() ? "deleted" : "dead-letter queue: " + String.join(", ", codes));
        boolean rejected = id.equals(REJECTED);
        String expectedState = rejected ? "FAILED" : "DONE";
        String expectedBilled = rejected ? "FAILED" : "RECOVERED";
        expect(expectedBilled.equals(billed.get(id)), id + " is " + billed.get(id) + " in billing");
        int expected = rejected ? 0 : 1;
        expect(state.equals(expectedState), id + " is " + state + " instead of " + expectedState);
        expect(debits == expected, id + " was debited " + debits + " times instead of " + expected);
        expect(notifications == expected, id + " was notified " + notifications + " times instead of " + expected);
        expect(
                codes.size() == (rejected ? sent.getOrDefault(id, 0) : 0),
                id + " has " + codes.size() + " dead letters");
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
