package com.finedge.once.deadletter;

import static com.finedge.once.deadletter.RedriveBed.all;
import static com.finedge.once.deadletter.RedriveBed.debits;
import static com.finedge.once.deadletter.RedriveBed.ended;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.OperatorAction;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.deadletter.RedriveBed.Kind;
import com.finedge.once.deadletter.RedriveBed.Sent;
import com.finedge.once.dev.Fault;
import com.finedge.once.support.Events;
import com.finedge.once.support.Queue;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.model.Message;

/** Redrives on real queues, claims and a bank, with the application at the other end of the source queue. */
class RedriveIT {

    private static final Duration HOLD = Duration.ofSeconds(30);

    private final RedriveBed bed = new RedriveBed();

    private List<Sent> twoOfEachKind() {
        return Stream.of(Kind.values())
                .flatMap(kind -> IntStream.range(0, 2).mapToObj(i -> bed.put(kind)))
                .toList();
    }

    private static Map<String, Long> expected(List<Sent> sent) {
        return sent.stream()
                .collect(Collectors.groupingBy(letter -> letter.kind().word, TreeMap::new, Collectors.counting()));
    }

    private Map<String, ClaimRecord> claims(List<Sent> sent) {
        return sent.stream()
                .filter(letter -> bed.claim(letter.chargeId()) != null)
                .collect(Collectors.toMap(
                        Sent::chargeId, letter -> Objects.requireNonNull(bed.claim(letter.chargeId()))));
    }

    @Test
    void aDryRunSaysWhatARedriveDoesAndDoesNothing() {
        List<Sent> sent = twoOfEachKind();
        Map<String, ClaimRecord> before = claims(sent);
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);

        RedriveProgress end = ended(rig.redrives(), RedriveOrder.dryRun(RedriveRig.KIM, LetterFilter.ALL));

        assertThat(end.status()).isEqualTo(RedriveProgress.Status.FINISHED);
        assertThat(end.verdicts()).isEqualTo(expected(sent));
        assertThat(end.handled()).isEqualTo(sent.size());
        assertThat(claims(sent)).isEqualTo(before);
        assertThat(rig.audit().latest(10)).isEmpty();
        assertThat(bed.charges.size()).isZero();
        // Handed back at once, not when their time is over.
        rig.restsAt(new Depth(sent.size(), 0));
        assertThat(bed.deadLetters.drain())
                .extracting(Message::body)
                .containsExactlyInAnyOrderElementsOf(
                        sent.stream().map(Sent::body).toList());
    }

    @Test
    void everyLetterEndsWhereItBelongsAndNoChargeIsDebitedTwice() {
        List<Sent> sent = twoOfEachKind();
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);
        bed.whileConsuming(() -> {
            RedriveProgress end = ended(rig.redrives(), all());

            assertThat(end.status()).isEqualTo(RedriveProgress.Status.FINISHED);
            assertThat(end.verdicts()).isEqualTo(expected(sent));
            assertThat(end.left()).isZero();
            bed.untilHandled();
        });
        bed.assertAllWhereTheyBelong(sent);

        Sent settled = sent.stream()
                .filter(letter -> letter.kind() == Kind.UNKNOWN_DEBITED)
                .findFirst()
                .orElseThrow();
        ClaimRecord claim = Objects.requireNonNull(bed.claim(settled.chargeId()));
        assertThat(claim.outcome()).isEqualTo("DEBITED");
        assertThat(claim.detail())
                .containsEntry("settledBy", "kim")
                .containsEntry("settledBecause", "the bank is back")
                .containsEntry(
                        "debitReference",
                        RedriveBed.SERVICES
                                .bank()
                                .debits(settled.chargeId())
                                .getFirst()
                                .reference());
        assertThat(RedriveBed.SERVICES.bank().notifications(settled.chargeId())).hasSize(1);
        Sent reopened = sent.stream()
                .filter(letter -> letter.kind() == Kind.TECHNICAL)
                .findFirst()
                .orElseThrow();
        assertThat(Objects.requireNonNull(bed.claim(reopened.chargeId())).detail())
                .containsEntry("reopenedBy", "kim")
                .containsEntry("reopenedBecause", "the bank is back");
        assertThat(rig.audit().on(claim.key().toString(), 10)).singleElement().satisfies(action -> {
            assertThat(action.by()).isEqualTo(RedriveRig.KIM);
            assertThat(action.result()).startsWith("SETTLE ordered for letter ");
        });
        assertThat(rig.audit().on(bed.resources.deadLetterQueue(), 10))
                .extracting(OperatorAction::result)
                .hasSize(2)
                .anySatisfy(result -> assertThat(result).startsWith("begun as "))
                .anySatisfy(result -> assertThat(result).startsWith("ended as ").contains("FINISHED"));
    }

    /** C26. */
    @Test
    void aRedriveThatFindsNoClaimOrAnOldOneDebitsOnce() {
        String crashed = bed.put(Kind.CRASHED_AFTER_DEBIT).chargeId();
        String forgotten = bed.put(Kind.CLAIM_FORGOTTEN).chargeId();
        String expired = Events.newChargeId();
        String body = Events.chargeDue(expired);
        bed.debited(body);
        bed.ended(body, ClaimState.DONE, "DEBITED", Map.of());
        expire(expired);
        bed.deadLetters.send(body);
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);
        List<String> all = List.of(crashed, forgotten, expired);
        bed.whileConsuming(() -> {
            for (int i = 0; i < 2; i++) {
                // Each tool there is, beside a live copy.
                all.forEach(id -> bed.charges.send(Events.chargeDue(id)));
                ended(rig.redrives(), all());
                all.forEach(id -> bed.deadLetters.send(Events.chargeDue(id)));
                moveByHand();
            }
            bed.untilHandled();
            ended(rig.redrives(), all());
            bed.untilHandled();
        });
        assertThat(all).allSatisfy(id -> {
            assertThat(debits(id)).isEqualTo(1);
            assertThat(Objects.requireNonNull(bed.claim(id)).state()).isEqualTo(ClaimState.DONE);
        });
        assertThat(bed.deadLetters.size()).isZero();
    }

    private void expire(String chargeId) {
        RedriveBed.SERVICES
                .dynamoDb()
                .updateItem(update -> update.tableName(bed.resources.table())
                        .key(Map.of(
                                "pk",
                                AttributeValue.fromS(
                                        new ChargeId(chargeId).claimKey().toString())))
                        .updateExpression("SET expiresAt = :past")
                        .expressionAttributeValues(Map.of(
                                ":past",
                                AttributeValue.fromN(Long.toString(
                                        Instant.now().minusSeconds(60).getEpochSecond())))));
    }

    /** As SQS's own redrive does: body and attributes as they are, under a new message id. */
    private void moveByHand() {
        for (Message message : bed.deadLetters.drain()) {
            bed.charges.send(
                    message.body(),
                    message.messageAttributes().entrySet().stream()
                            .collect(Collectors.toMap(
                                    Map.Entry::getKey,
                                    attribute -> attribute.getValue().stringValue())));
        }
    }

    @Test
    void theNativeRedriveOfSqsIntoOurQueueIsHarmless() {
        List<Sent> sent = Stream.of(Kind.values())
                .filter(kind -> kind != Kind.AT_WORK)
                .map(bed::put)
                .toList();
        bed.whileConsuming(() -> {
            moveByHand();
            bed.untilHandled();
            await("failed ones to be back").atMost(Duration.ofSeconds(20)).until(() -> bed.deadLetters.size() == 7);
        });
        // A claim that has failed refuses; only what nobody had decided is done.
        assertThat(sent).allSatisfy(letter -> {
            boolean failed = Set.of(Kind.TECHNICAL, Kind.UNKNOWN_NOT_DEBITED, Kind.REDRIVEN_OFTEN)
                    .contains(letter.kind());
            assertThat(debits(letter.chargeId()))
                    .as("debits of %s", letter.kind())
                    .isEqualTo(failed ? 0 : letter.kind().debits);
        });
        // And what came back is redriven like anything else.
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);
        bed.whileConsuming(() -> {
            ended(rig.redrives(), all());
            bed.untilHandled();
        });
        bed.assertAllWhereTheyBelong(sent);
    }

    @Test
    void aLetterThatComesBackCarriesItsRedrivesAndStaysAfterThree() {
        Sent letter = bed.put(Kind.TECHNICAL);
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);
        for (int i = 1; i <= 3; i++) {
            assertThat(ended(rig.redrives(), all()).verdicts()).containsOnlyKeys("REOPEN");
            Message sent = bed.charges.drain().getFirst();
            assertThat(sent.body()).isEqualTo(letter.body());
            assertThat(Queue.attribute(sent, "redrives")).isEqualTo(Integer.toString(i));
            bed.ended(letter.body(), ClaimState.FAILED, "RETRIES_EXHAUSTED", Map.of("failure", "TECHNICAL"));
            bed.deadLetters.send(sent.body(), Map.of("code", "RETRIES_EXHAUSTED", "redrives", Integer.toString(i)));
        }
        assertThat(ended(rig.redrives(), all()).verdicts()).isEqualTo(Map.of("STAY_REDRIVEN_OFTEN", 1L));
        assertThat(bed.charges.size()).isZero();

        RedriveOrder forced =
                new RedriveOrder(RedriveRig.KIM, LetterFilter.ALL, new Terms(false, true), false, 10, 100, 10);
        assertThat(ended(rig.redrives(), forced).verdicts()).isEqualTo(Map.of("REOPEN", 1L));
        assertThat(bed.charges.size()).isEqualTo(1);
    }

    @Test
    void theApplicationKeepsTheRedrivesOfWhatItSendsToTheDeadLetters() {
        Sent letter = bed.put(Kind.TECHNICAL);
        RedriveBed.SERVICES.bank().fault(letter.chargeId(), Fault.reject("ACCOUNT_CLOSED"));
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);
        bed.whileConsuming(() -> {
            ended(rig.redrives(), all());
            await().atMost(Duration.ofSeconds(30)).until(() -> bed.deadLetters.size() == 1);
        });
        Message back = bed.deadLetters.drain().getFirst();
        assertThat(Queue.attribute(back, "redrives")).isEqualTo("1");
        assertThat(Queue.attribute(back, "code")).isEqualTo("ACCOUNT_CLOSED");
    }

    @Test
    void whatTheBankRefusedIsAskedOnceMoreOnlyIfThatIsSaid() {
        Sent rejected = bed.put(Kind.REJECTED);
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);
        RedriveOrder included =
                new RedriveOrder(RedriveRig.KIM, LetterFilter.ALL, new Terms(true, false), false, 10, 100, 10);
        bed.whileConsuming(() -> {
            assertThat(ended(rig.redrives(), included).verdicts()).isEqualTo(Map.of("REOPEN", 1L));
            bed.untilHandled();
        });
        assertThat(debits(rejected.chargeId())).isEqualTo(1);
    }

    @Test
    void aBankThatCannotSayLeavesTheLetter() {
        Sent letter = bed.put(Kind.UNKNOWN_DEBITED);
        RedriveRig.Places away = new RedriveRig.Places(
                RedriveBed.SERVICES.sqs(),
                RedriveBed.SERVICES.dynamoDb(),
                URI.create("http://127.0.0.1:1"),
                bed.resources.queue(),
                bed.resources.deadLetterQueue(),
                bed.resources.table());
        RedriveRig rig = RedriveRig.of(away, null, new RecordingAuditLog(), HOLD, RedriveRig.Wraps.NONE);

        assertThat(ended(rig.redrives(), all()).verdicts()).isEqualTo(Map.of("STAY_UNCERTAIN", 1L));
        assertThat(Objects.requireNonNull(bed.claim(letter.chargeId())).state()).isEqualTo(ClaimState.FAILED);
        assertThat(bed.deadLetters.size()).isEqualTo(1);
    }

    @Test
    void onlyWhatTheFilterMeansIsRedriven() {
        Sent first = bed.put(Kind.TECHNICAL);
        Sent second = bed.put(Kind.TECHNICAL);
        bed.put(Kind.INVALID);
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);

        RedriveProgress none =
                ended(rig.redrives(), order(new LetterFilter(Set.of(), null, Duration.ofHours(1), null)));
        assertThat(none.skipped()).isEqualTo(3);
        assertThat(none.handled()).isZero();
        RedriveProgress one =
                ended(rig.redrives(), order(new LetterFilter(Set.of(), second.chargeId(), null, Duration.ofHours(1))));
        assertThat(one.verdicts()).isEqualTo(Map.of("REOPEN", 1L));
        assertThat(one.skipped()).isEqualTo(2);
        RedriveProgress invalid =
                ended(rig.redrives(), order(new LetterFilter(Set.of("UNSUPPORTED_VERSION"), null, null, null)));
        assertThat(invalid.verdicts()).isEqualTo(Map.of("STAY_INVALID", 1L));
        assertThat(bed.charges.drain())
                .singleElement()
                .extracting(Message::body)
                .isEqualTo(second.body());
        assertThat(Objects.requireNonNull(bed.claim(first.chargeId())).state()).isEqualTo(ClaimState.FAILED);
    }

    private static RedriveOrder order(LetterFilter filter) {
        return new RedriveOrder(RedriveRig.KIM, filter, Terms.ORDINARY, false, 10, 100, 10);
    }

    @Test
    void oneRedriveAtATimeAndItCanBeCancelled() {
        List<Sent> sent =
                IntStream.range(0, 20).mapToObj(i -> bed.put(Kind.TECHNICAL)).toList();
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);
        List<RedriveProgress> told = new CopyOnWriteArrayList<>();
        Redrives.Listening listening = rig.redrives().listen(told::add);
        try {
            RedriveOrder slow = new RedriveOrder(RedriveRig.KIM, LetterFilter.ALL, Terms.ORDINARY, false, 10, 2, 10);
            String id = ((StartResult.Started) rig.redrives().start(slow))
                    .progress()
                    .id();
            assertThat(rig.redrives().start(slow)).isInstanceOf(StartResult.Busy.class);
            await().atMost(Duration.ofSeconds(10)).until(() -> !told.isEmpty());
            assertThat(rig.redrives().cancel(id)).isPresent();

            RedriveProgress end = ended(rig.redrives(), id);
            assertThat(end.status()).isEqualTo(RedriveProgress.Status.CANCELLED);
            assertThat(end.left()).isPositive();
            assertThat(told.getLast()).isEqualTo(end);
        } finally {
            listening.close();
        }
        assertThat(bed.charges.size() + bed.deadLetters.size()).isEqualTo(sent.size());
        // What it had in its hands is back at once.
        rig.restsAt(new Depth(bed.deadLetters.size(), 0));
        assertThat(ended(rig.redrives(), all()).status()).isEqualTo(RedriveProgress.Status.FINISHED);
        assertThat(bed.charges.size()).isEqualTo(sent.size());
    }

    @Test
    void nothingIsDoneThatIsNotInTheAuditLog() {
        List<Sent> sent =
                new ArrayList<>(List.of(bed.put(Kind.DONE), bed.put(Kind.TECHNICAL), bed.put(Kind.UNKNOWN_DEBITED)));
        RedriveRig rig = bed.rig(
                HOLD,
                new RedriveRig.Wraps(
                        queue -> queue, claims -> claims, audit -> new FailingForLetters(audit), bank -> bank));

        RedriveProgress end = ended(rig.redrives(), all());

        assertThat(end.failed()).isEqualTo(3);
        assertThat(end.trouble()).contains("the database is away");
        assertThat(bed.deadLetters.size()).isEqualTo(sent.size());
        assertThat(bed.charges.size()).isZero();
        assertThat(Objects.requireNonNull(bed.claim(sent.get(1).chargeId())).state())
                .isEqualTo(ClaimState.FAILED);
        assertThat(Objects.requireNonNull(bed.claim(sent.get(2).chargeId())).state())
                .isEqualTo(ClaimState.FAILED);
    }

    private record FailingForLetters(AuditLog log) implements AuditLog {

        @Override
        public void record(OperatorAction action) {
            if (action.target().contains("#")) {
                throw new IllegalStateException("the database is away");
            }
            log.record(action);
        }

        @Override
        public List<OperatorAction> on(String target, int most) {
            return log.on(target, most);
        }

        @Override
        public List<OperatorAction> latest(int most) {
            return log.latest(most);
        }
    }

    @Test
    void aLookShowsEachLetterWithItsVerdictAndHidesNone() {
        List<Sent> sent = twoOfEachKind();
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);

        Look look = rig.letters().look(LetterFilter.ALL, Terms.ORDINARY, 1_000);

        assertThat(look.complete()).isTrue();
        assertThat(look.seen()).isEqualTo(sent.size());
        assertThat(look.byVerdict()).isEqualTo(expected(sent));
        rig.restsAt(new Depth(sent.size(), 0));
        assertThat(look.letters())
                .allSatisfy(view -> assertThat(view.toString()).doesNotContain("ACC-42"));
        Sent conflict = sent.stream()
                .filter(letter -> letter.kind() == Kind.CONFLICT)
                .findFirst()
                .orElseThrow();
        assertThat(look.letters())
                .filteredOn(view -> conflict.chargeId().equals(view.key()))
                .singleElement()
                .satisfies(view -> {
                    LetterView.ClaimView claim = Objects.requireNonNull(view.claim());
                    assertThat(claim.state()).isEqualTo("DONE");
                    assertThat(claim.fingerprint()).isNotEqualTo(view.fingerprint());
                    assertThat(view.fingerprint())
                            .isEqualTo(RedriveBed.fingerprint(conflict.body()).value());
                });
        assertThat(rig.letters().look(LetterFilter.ALL, Terms.ORDINARY, 5).complete())
                .isFalse();
    }

    @Test
    void aCorrectedLetterIsSentAsANewEventWithALinkToTheOldOne() {
        Sent invalid = bed.put(Kind.INVALID);
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);
        String id = rig.letters()
                .look(LetterFilter.ALL, Terms.ORDINARY, 10)
                .letters()
                .getFirst()
                .id();
        String corrected = Events.chargeDue(invalid.chargeId());

        rig.restsAt(new Depth(1, 0));
        assertThat(rig.letters().replace(id, new Correction(RedriveRig.KIM, "{}")))
                .isInstanceOf(ReplaceResult.StillInvalid.class);
        rig.restsAt(new Depth(1, 0));
        assertThat(rig.letters().replace("nothing-like-it", new Correction(RedriveRig.KIM, corrected)))
                .isInstanceOf(ReplaceResult.NotFound.class);
        rig.restsAt(new Depth(1, 0));
        assertThat(rig.letters().replace(id, new Correction(RedriveRig.KIM, corrected)))
                .isInstanceOf(ReplaceResult.Sent.class);

        Message sent = bed.charges.drain().getFirst();
        assertThat(Queue.attribute(sent, "replaces")).isEqualTo(id);
        assertThat(RedriveBed.fingerprint(sent.body())).isEqualTo(RedriveBed.fingerprint(corrected));
        assertThat(sent.body()).isNotEqualTo(corrected);
        assertThat(bed.deadLetters.size()).isZero();
        assertThat(rig.audit().on("charge-recovery#" + invalid.chargeId(), 10)).hasSize(1);
    }

    @Test
    void aValidLetterIsNoneToBeCorrected() {
        bed.put(Kind.TECHNICAL);
        RedriveRig rig = bed.rig(HOLD, RedriveRig.Wraps.NONE);
        String id = rig.letters()
                .look(LetterFilter.ALL, Terms.ORDINARY, 10)
                .letters()
                .getFirst()
                .id();

        assertThat(rig.letters().replace(id, new Correction(RedriveRig.KIM, Events.chargeDue("CHG-9"))))
                .isInstanceOf(ReplaceResult.NotInvalid.class);
        assertThat(bed.charges.size()).isZero();
        assertThat(bed.deadLetters.size()).isEqualTo(1);
    }
}
