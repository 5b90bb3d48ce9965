package com.finedge.once.dev;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.OnceApplication;
import com.finedge.once.adapter.corebanking.HttpAccountDebits;
import com.finedge.once.adapter.json.ChargeDueEventJson;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.support.Events;
import com.finedge.once.support.Operators;
import com.finedge.once.support.Queue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Shows thirty dead letters of every kind: how they came to be dead, what a dry run says of them, and where a redrive leaves
 * each. {@code make demo-redrive} calls it.
 */
public final class RedriveDemo {

    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(1);

    /** How a letter came to be dead, and what is to become of it. */
    private enum Kind {
        BANK_WAS_AWAY("the bank was away", "REOPEN", false, 1),
        ANSWER_WAS_LOST("the bank's answer was lost after the debit", "SETTLE", false, 1),
        REQUEST_WAS_LOST("the bank's answer was lost before the debit", "REOPEN", false, 1),
        REFUSED("the bank refused", "STAY_REJECTED", true, 0),
        NO_CHARGE("no charge", "STAY_INVALID", true, 0),
        CONFLICT("another amount for a charge that is done", "STAY_CONFLICT", true, 1),
        DONE("done before, moved by SQS", "DELETE", false, 1),
        CRASHED("crashed after the debit, moved by SQS", "SEND", false, 1),
        NEVER_CLAIMED("never claimed, moved by SQS", "SEND", false, 1),
        AT_WORK("somebody is at work on it", "STAY_IN_PROGRESS", true, 0),
        CAME_BACK("came back three times", "STAY_REDRIVEN_OFTEN", true, 0);

        private final String text;
        private final String word;
        private final boolean stays;
        private final int debits;

        Kind(String text, String word, boolean stays, int debits) {
            this.text = text;
            this.word = word;
            this.stays = stays;
            this.debits = debits;
        }

        /** Thirty in all. */
        private int count() {
            return switch (this) {
                case AT_WORK -> 2;
                case CAME_BACK -> 1;
                default -> 3;
            };
        }
    }

    private record Letter(Kind kind, String chargeId, String body) {}

    private final ServletWebServerApplicationContext once;
    private final CoreBankingSimulator bank;
    private final HttpAccountDebits debits;
    private final ClaimStore claims;
    private final Queue charges;
    private final Queue deadLetters;
    private final List<Letter> letters = new ArrayList<>();
    private final List<String> differences = new ArrayList<>();

    private RedriveDemo(ServletWebServerApplicationContext once) {
        this.once = once;
        this.bank = once.getBean(CoreBankingSimulator.class);
        this.claims = once.getBean(ClaimStore.class);
        this.debits = new HttpAccountDebits(
                RestClient.builder().baseUrl(bank.endpoint().toString()).build(), new ObjectMapper());
        LocalResources resources = once.getBean(LocalResources.class);
        SqsClient sqs = once.getBean(SqsClient.class);
        this.charges = Queue.named(sqs, resources.queue());
        this.deadLetters = Queue.named(sqs, resources.deadLetterQueue());
    }

    public static void main(String[] args) {
        LocalAws.useLocalCredentials();
        System.out.println("demo-redrive: starting ElasticMQ (SQS), dynalite (DynamoDB), PostgreSQL, a bank and Once");
        boolean passed;
        try (ConfigurableApplicationContext once = new SpringApplicationBuilder(
                        OnceApplication.class, DevelopmentServices.class)
                .properties(new HashMap<>(Operators.SETTINGS))
                .run(
                        "--server.address=127.0.0.1",
                        "--server.port=0",
                        "--management.server.address=127.0.0.1",
                        "--management.server.port=0",
                        "--logging.level.com.finedge.once=error",
                        "--once.roles=charge-recovery,console",
                        // Short, so that what has to be given up is given up within seconds.
                        "--once.claims.lease=5s",
                        "--once.claims.max-hold=30s",
                        "--once.aws.call-timeout=3s",
                        "--once.core-banking.connect-timeout=1s",
                        "--once.core-banking.read-timeout=" + READ_TIMEOUT.toSeconds() + "s",
                        "--once.circuit-pause=1s",
                        "--once.charges.max-attempts=2",
                        "--once.charges.back-off=500ms",
                        "--once.charges.max-back-off=1s",
                        "--once.charges.poll-wait=1s")) {
            passed = new RedriveDemo((ServletWebServerApplicationContext) once).run();
        }
        System.exit(passed ? 0 : 1);
    }

    private boolean run() {
        for (Kind kind : Kind.values()) {
            for (int i = 1; i <= kind.count(); i++) {
                letters.add(put(kind, "CHG-%s-%d".formatted(kind, i)));
            }
            // One kind after the other, so that the bank's circuit has a chance to close again.
            expect(
                    until(() -> charges.size() == 0 && deadLetters.size() == letters.size()),
                    "%s: %d letters are dead and %d messages wait".formatted(kind, deadLetters.size(), charges.size()));
        }
        System.out.printf("demo-redrive: %d letters are dead; now the bank is well again%n", letters.size());
        letters.stream()
                .filter(letter -> letter.kind() != Kind.REFUSED)
                .forEach(letter -> bank.clearFaults(letter.chargeId()));

        Map<String, Integer> before = debited();
        System.out.println("demo-redrive: make redrive WHY='the bank is back'");
        expect(redrive() == 0, "the dry run has failed");
        expect(deadLetters.size() == letters.size(), "the dry run has changed the dead letters");
        expect(debited().equals(before), "the dry run has moved money");

        System.out.println("demo-redrive: make redrive WHY='the bank is back' REDRIVE=--in-earnest");
        expect(redrive("--in-earnest") == 0, "the redrive has failed");
        expect(until(() -> charges.size() == 0), "what was sent back isn't handled");
        report();
        return differences.isEmpty();
    }

    private Letter put(Kind kind, String chargeId) {
        String body = Events.chargeDue(chargeId);
        switch (kind) {
            case BANK_WAS_AWAY -> failing(chargeId, body, Fault.unavailable(503));
            case ANSWER_WAS_LOST ->
                failing(chargeId, body, Fault.timeoutAfter().delayedBy(READ_TIMEOUT.multipliedBy(3)));
            case REQUEST_WAS_LOST ->
                failing(chargeId, body, Fault.timeoutBefore().delayedBy(READ_TIMEOUT.multipliedBy(3)));
            case REFUSED -> failing(chargeId, body, Fault.reject("INSUFFICIENT_FUNDS"));
            case NO_CHARGE -> {
                body = "{\"note\":\"this is no charge\",\"n\":\"" + chargeId + "\"}";
                charges.send(body);
            }
            case CONFLICT -> {
                recovered(chargeId, body);
                body = Events.chargeDue(chargeId, "1990.00");
                charges.send(body);
            }
            case DONE -> {
                recovered(chargeId, body);
                deadLetters.send(body);
            }
            case CRASHED -> {
                debits.debit(charge(body));
                claimed(body, Instant.now().minusSeconds(1));
                deadLetters.send(body);
            }
            case NEVER_CLAIMED -> deadLetters.send(body);
            case AT_WORK -> {
                claimed(body, Instant.now().plus(Duration.ofHours(1)));
                deadLetters.send(body);
            }
            case CAME_BACK -> {
                Instant now = Instant.now();
                claims.finish(
                        claimed(body, now.plusSeconds(30)),
                        new ClaimEnd(
                                ClaimState.FAILED,
                                "RETRIES_EXHAUSTED",
                                Map.of("failure", "TECHNICAL"),
                                now,
                                now.plus(Duration.ofDays(60))));
                deadLetters.send(body, Map.of("code", "RETRIES_EXHAUSTED", "redrives", "3"));
            }
        }
        return new Letter(kind, chargeId, body);
    }

    private void failing(String chargeId, String body, Fault fault) {
        bank.fault(chargeId, fault);
        charges.send(body);
    }

    private void recovered(String chargeId, String body) {
        charges.send(body);
        expect(until(() -> state(chargeId).equals("DONE")), chargeId + " isn't recovered");
    }

    private static Charge charge(String body) {
        return Charge.of(new ChargeDueEventJson().read(body));
    }

    private Claim claimed(String body, Instant leaseUntil) {
        Charge charge = charge(body);
        return ((ClaimResult.Acquired) claims.claim(new ClaimRequest(
                        charge.id().claimKey(),
                        charge.fingerprint(),
                        UUID.randomUUID().toString(),
                        leaseUntil.minusSeconds(30),
                        leaseUntil)))
                .claim();
    }

    private String state(String chargeId) {
        return claims.find(new ChargeId(chargeId).claimKey())
                .map(ClaimRecord::state)
                .map(Enum::name)
                .orElse("none");
    }

    private Map<String, Integer> debited() {
        Map<String, Integer> debited = new LinkedHashMap<>();
        letters.forEach(letter ->
                debited.put(letter.chargeId(), bank.debits(letter.chargeId()).size()));
        return debited;
    }

    private int redrive(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--url=http://127.0.0.1:" + once.getEnvironment().getProperty("local.management.port"),
                "--user=" + Operators.OPERATOR.user(),
                "--why=the bank is back",
                "--rate=20"));
        arguments.addAll(List.of(more));
        return RedriveClient.run(System.out, Operators.OPERATOR.password(), arguments.toArray(String[]::new));
    }

    private void report() {
        List<String> left =
                new ArrayList<>(deadLetters.drain().stream().map(Message::body).toList());
        System.out.printf(
                "%n%-24s %-44s %-20s %-12s %s%n", "charge", "how it came", "verdict", "claim", "debits  where");
        for (Letter letter : letters) {
            int debited = bank.debits(letter.chargeId()).size();
            boolean isLeft = left.remove(letter.body());
            String state = letter.kind() == Kind.NO_CHARGE ? "none" : state(letter.chargeId());
            System.out.printf(
                    "%-24s %-44s %-20s %-12s %d       %s%n",
                    letter.chargeId(),
                    letter.kind().text,
                    letter.kind().word,
                    state,
                    debited,
                    isLeft ? "dead-letter queue" : "gone");
            expect(isLeft == letter.kind().stays, letter.chargeId() + " isn't where it belongs");
            expect(
                    debited == letter.kind().debits,
                    "%s was debited %d times, not %d".formatted(letter.chargeId(), debited, letter.kind().debits));
            expect(letter.kind().stays || state.equals("DONE"), letter.chargeId() + " is gone and not done: " + state);
        }
        expect(left.isEmpty(), left.size() + " letters more than there were");
        differences.forEach(difference -> System.out.println("demo-redrive: " + difference));
        System.out.printf(
                "%ndemo-redrive: %d dead letters, of which %d stay; %d charges debited, %d of them more than once%n",
                letters.size(),
                letters.stream().filter(letter -> letter.kind().stays).count(),
                debited().values().stream().filter(count -> count > 0).count(),
                debited().values().stream().filter(count -> count > 1).count());
        System.out.println("demo-redrive: " + (differences.isEmpty() ? "PASS" : "FAIL"));
    }

    private void expect(boolean holds, String otherwise) {
        if (!holds) {
            differences.add(otherwise);
        }
    }

    private static boolean until(BooleanSupplier condition) {
        Instant end = Instant.now().plus(LONGEST);
        while (!condition.getAsBoolean()) {
            if (Instant.now().isAfter(end)) {
                return false;
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
        return true;
    }
}
