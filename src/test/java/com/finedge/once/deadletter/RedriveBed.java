package com.finedge.once.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.adapter.corebanking.HttpAccountDebits;
import com.finedge.once.adapter.dynamodb.DynamoClaimStore;
import com.finedge.once.adapter.json.ChargeDueEventJson;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.charge.DebitResult;
import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.Fingerprint;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.support.Events;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.client.RestClient;

/** Queues and a table of a test's own, with dead letters of every kind. */
final class RedriveBed {

    static final LocalServices SERVICES = LocalServices.shared();

    /** What can be wrong with a letter, and what is to become of it. */
    enum Kind {
        DONE("DELETE", false, 1),
        TECHNICAL("REOPEN", false, 1),
        REJECTED("STAY_REJECTED", true, 0),
        UNKNOWN_DEBITED("SETTLE", false, 1),
        UNKNOWN_NOT_DEBITED("REOPEN", false, 1),
        AT_WORK("STAY_IN_PROGRESS", true, 0),
        CRASHED_AFTER_DEBIT("SEND", false, 1),
        REOPENED("SEND", false, 1),
        NEVER_CLAIMED("SEND", false, 1),
        CLAIM_FORGOTTEN("SEND", false, 1),
        INVALID("STAY_INVALID", true, 0),
        CONFLICT("STAY_CONFLICT", true, 1),
        REDRIVEN_OFTEN("STAY_REDRIVEN_OFTEN", true, 0);

        final String word;
        final boolean stays;

        /** In the end, when all that was sent back is handled. */
        final int debits;

        Kind(String word, boolean stays, int debits) {
            this.word = word;
            this.stays = stays;
            this.debits = debits;
        }
    }

    /** A letter as it was put there. */
    record Sent(Kind kind, String chargeId, String body) {}

    final LocalResources resources;
    final Queue charges;
    final Queue deadLetters;
    final ClaimStore claims;
    private final HttpAccountDebits bank;

    RedriveBed() {
        resources = SERVICES.fresh();
        charges = Queue.named(SERVICES.sqs(), resources.queue());
        deadLetters = Queue.named(SERVICES.sqs(), resources.deadLetterQueue());
        claims = new DynamoClaimStore(SERVICES.dynamoDb(), resources.table());
        bank = new HttpAccountDebits(
                RestClient.builder()
                        .baseUrl(SERVICES.bank().endpoint().toString())
                        .build(),
                new ObjectMapper());
    }

    RedriveRig.Places places() {
        return new RedriveRig.Places(
                SERVICES.sqs(),
                SERVICES.dynamoDb(),
                SERVICES.bank().endpoint(),
                resources.queue(),
                resources.deadLetterQueue(),
                resources.table());
    }

    /** Redrives of this bed, with the audit log in this process. */
    RedriveRig rig(Duration hold, RedriveRig.Wraps wraps) {
        return RedriveRig.of(places(), null, new RecordingAuditLog(), hold, wraps);
    }

    /** Something that a test does. */
    interface Act {
        void run();
    }

    /** Does it while the application handles what is sent back. */
    void whileConsuming(Act act) {
        RunningOnce consumer = consumer();
        try {
            act.run();
        } finally {
            consumer.close();
        }
    }

    private RunningOnce consumer() {
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.put("once.charges.back-off", "1s");
        settings.put("once.charges.max-back-off", "2s");
        return RunningOnce.start(settings);
    }

    static Charge charge(String body) {
        return Charge.of(new ChargeDueEventJson().read(body));
    }

    void debited(String body) {
        assertThat(bank.debit(charge(body))).isInstanceOf(DebitResult.Debited.class);
    }

    Sent put(Kind kind) {
        String chargeId = Events.newChargeId();
        String body = Events.chargeDue(chargeId);
        return switch (kind) {
            case DONE -> {
                debited(body);
                ended(body, ClaimState.DONE, "DEBITED", Map.of("debitReference", "D-1"));
                yield dead(kind, chargeId, body, Map.of());
            }
            case TECHNICAL -> {
                ended(body, ClaimState.FAILED, "RETRIES_EXHAUSTED", Map.of("failure", "TECHNICAL"));
                yield dead(kind, chargeId, body, Map.of("code", "RETRIES_EXHAUSTED"));
            }
            case REJECTED -> {
                ended(body, ClaimState.FAILED, "INSUFFICIENT_FUNDS", Map.of("failure", "REJECTED"));
                yield dead(kind, chargeId, body, Map.of("code", "INSUFFICIENT_FUNDS"));
            }
            case UNKNOWN_DEBITED -> {
                debited(body);
                ended(body, ClaimState.FAILED, "OUTCOME_UNKNOWN", Map.of("failure", "TECHNICAL"));
                yield dead(kind, chargeId, body, Map.of("code", "OUTCOME_UNKNOWN"));
            }
            case UNKNOWN_NOT_DEBITED -> {
                ended(body, ClaimState.FAILED, "OUTCOME_UNKNOWN", Map.of("failure", "TECHNICAL"));
                yield dead(kind, chargeId, body, Map.of("code", "OUTCOME_UNKNOWN"));
            }
            case AT_WORK -> {
                claimed(body, Instant.now().plus(Duration.ofHours(1)));
                yield dead(kind, chargeId, body, Map.of());
            }
            case CRASHED_AFTER_DEBIT -> {
                debited(body);
                claimed(body, Instant.now().minusSeconds(1));
                yield dead(kind, chargeId, body, Map.of());
            }
            case REOPENED -> {
                ended(body, ClaimState.FAILED, "RETRIES_EXHAUSTED", Map.of("failure", "TECHNICAL"));
                claims.reopen(charge(body).id().claimKey(), Map.of(), Instant.now());
                yield dead(kind, chargeId, body, Map.of("code", "RETRIES_EXHAUSTED"));
            }
            case NEVER_CLAIMED -> dead(kind, chargeId, body, Map.of());
            case CLAIM_FORGOTTEN -> {
                debited(body);
                yield dead(kind, chargeId, body, Map.of());
            }
            case INVALID ->
                dead(kind, chargeId, "{\"chargeId\":\"" + chargeId + "\"}", Map.of("code", "UNSUPPORTED_VERSION"));
            case CONFLICT -> {
                debited(body);
                ended(body, ClaimState.DONE, "DEBITED", Map.of());
                yield dead(kind, chargeId, Events.chargeDue(chargeId, "1990.00"), Map.of("code", "CONFLICT"));
            }
            case REDRIVEN_OFTEN -> {
                ended(body, ClaimState.FAILED, "RETRIES_EXHAUSTED", Map.of("failure", "TECHNICAL"));
                yield dead(kind, chargeId, body, Map.of("code", "RETRIES_EXHAUSTED", "redrives", "3"));
            }
        };
    }

    private Sent dead(Kind kind, String chargeId, String body, Map<String, String> attributes) {
        deadLetters.send(body, attributes);
        return new Sent(kind, chargeId, body);
    }

    private Claim claimed(String body, Instant leaseUntil) {
        Charge charge = charge(body);
        Instant now = leaseUntil.minusSeconds(30);
        return ((ClaimResult.Acquired) claims.claim(new ClaimRequest(
                        charge.id().claimKey(),
                        charge.fingerprint(),
                        UUID.randomUUID().toString(),
                        now,
                        leaseUntil)))
                .claim();
    }

    void ended(String body, ClaimState state, String outcome, Map<String, String> detail) {
        Instant now = Instant.now();
        claims.finish(
                claimed(body, now.plusSeconds(30)),
                new ClaimEnd(state, outcome, detail, now, now.plus(Duration.ofDays(60))));
    }

    @Nullable
    ClaimRecord claim(String chargeId) {
        return claims.find(new ChargeId(chargeId).claimKey()).orElse(null);
    }

    static Fingerprint fingerprint(String body) {
        return charge(body).fingerprint();
    }

    /** Waits until nothing is on the source queue any more. */
    void untilHandled() {
        await("the source to be handled").atMost(Duration.ofSeconds(90)).until(() -> charges.size() == 0);
    }

    /** How often the money of this charge was moved. */
    static int debits(String chargeId) {
        return SERVICES.bank().debits(chargeId).size();
    }

    /** Each letter is where its kind belongs, and each charge was debited as often as its kind says. */
    void assertAllWhereTheyBelong(List<Sent> sent) {
        List<String> left = deadLetters.drain().stream()
                .map(message -> message.body())
                .sorted()
                .toList();
        assertThat(left)
                .as("what stays")
                .containsExactlyElementsOf(sent.stream()
                        .filter(letter -> letter.kind().stays)
                        .map(Sent::body)
                        .sorted()
                        .toList());
        assertThat(sent).allSatisfy(letter -> {
            assertThat(debits(letter.chargeId())).as("debits of %s", letter).isEqualTo(letter.kind().debits);
            if (!letter.kind().stays) {
                ClaimRecord claim = claim(letter.chargeId());
                assertThat(claim).as("claim of %s", letter).isNotNull();
                assertThat(claim)
                        .extracting(ClaimRecord::state)
                        .as("claim of %s", letter)
                        .isEqualTo(ClaimState.DONE);
            }
        });
    }

    static RedriveProgress ended(Redrives redrives, RedriveOrder order) {
        StartResult start = redrives.start(order);
        assertThat(start).isInstanceOf(StartResult.Started.class);
        return ended(redrives, ((StartResult.Started) start).progress().id());
    }

    static RedriveProgress ended(Redrives redrives, String id) {
        await("the redrive to end")
                .atMost(Duration.ofMinutes(5))
                .until(() -> redrives.find(id).orElseThrow().isOver());
        return redrives.find(id).orElseThrow();
    }

    /** All letters, in earnest, at a rate that isn't in the way. */
    static RedriveOrder all() {
        return new RedriveOrder(RedriveRig.KIM, LetterFilter.ALL, Terms.ORDINARY, false, 10, 500, 10);
    }
}
