package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CoreBankingSimulatorIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String CHARGE = "CHG-1";

    private static CoreBankingSimulator bank;

    record Answer(int status, JsonNode body) {
        String code() {
            return body.path("code").asText();
        }
    }

    @BeforeAll
    static void start() {
        bank = CoreBankingSimulator.start(0);
    }

    @AfterAll
    static void stop() {
        bank.close();
    }

    @BeforeEach
    void clear() {
        bank.reset();
    }

    @Test
    void theFirstRequestMovesMoneyAndTheSameAgainGetsTheSameReceipt() throws Exception {
        Answer first = debit("key", CHARGE, "19.90");
        Answer again = debit("key", CHARGE, "19.90");

        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(bank.debits(CHARGE)).singleElement().satisfies(debit -> {
            assertThat(debit.reference())
                    .isEqualTo(first.body().path("reference").asText());
            assertThat(debit.idempotencyKey()).isEqualTo("key");
            assertThat(debit.accountId()).isEqualTo("ACC-42");
        });
    }

    @Test
    void fiftyRequestsAtOnceWithOneKeyMoveMoneyOnce() throws Exception {
        var together = new CountDownLatch(1);
        var answers = new ArrayList<Future<Answer>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                answers.add(threads.submit(() -> {
                    together.await();
                    return debit("key", CHARGE, "19.90");
                }));
            }
            together.countDown();
        }

        List<Integer> statuses = new ArrayList<>();
        Set<JsonNode> receipts = new HashSet<>();
        for (var answer : answers) {
            statuses.add(answer.get().status());
            receipts.add(answer.get().body());
        }
        assertThat(statuses).containsOnly(201, 200).containsOnlyOnce(201);
        assertThat(receipts).hasSize(1);
        assertThat(bank.debits(CHARGE)).hasSize(1);
    }

    @Test
    void theSameKeyWithAnotherAmountIsRefusedAndMovesNothing() throws Exception {
        debit("key", CHARGE, "19.90");

        Answer other = debit("key", CHARGE, "19.91");

        assertThat(other.status()).isEqualTo(422);
        assertThat(other.code()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(bank.debits(CHARGE)).extracting(Debit::amount).containsExactly("19.90");
    }

    @Test
    void anotherKeyForTheSameChargeMovesMoneyAgain() throws Exception {
        debit("key-1", CHARGE, "19.90");
        debit("key-2", CHARGE, "19.90");

        assertThat(bank.debits(CHARGE)).hasSize(2);
    }

    @Test
    void aRequestWithoutAKeyIsRefused() throws Exception {
        Answer answer = send(request("/debits").POST(BodyPublishers.ofString(debitBody(CHARGE, "\"19.90\""))));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("IDEMPOTENCY_KEY_MISSING");
        assertThat(bank.debits()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"19.90", "19.9", "0.10", "99999999999999.99", "10000", "600.00"})
    void amountsAreKeptDigitForDigit(String amount) throws Exception {
        debit("key", CHARGE, amount);

        assertThat(bank.debits(CHARGE)).extracting(Debit::amount).containsExactly(amount);
        assertThat(get("/debits?chargeId=" + CHARGE).body().path(0).path("amount"))
                .isEqualTo(JSON.getNodeFactory().textNode(amount));
    }

    @ParameterizedTest
    @ValueSource(strings = {"19.90", "\"1e2\"", "\"-1\"", "\" 19.90\"", "null", "\"19,90\"", "true"})
    void anAmountThatIsNoDecimalStringIsRefused(String amount) throws Exception {
        Answer answer = post("/debits", "key", debitBody(CHARGE, amount));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("message").asText())
                .contains("\"amount\"")
                .endsWith(".");
        assertThat(bank.debits()).isEmpty();
    }

    @Test
    void theListsTellWhatHappenedForOneChargeOrForAll() throws Exception {
        debit("key-1", "CHG-1", "1.00");
        debit("key-2", "CHG-2", "2.00");
        notify("N-1", "CHG-1", "1.00");

        assertThat(get("/debits?chargeId=CHG-2").body()).hasSize(1);
        assertThat(get("/debits").body()).hasSize(2);
        assertThat(get("/notifications?chargeId=CHG-1").body()).hasSize(1);
        assertThat(get("/notifications?chargeId=CHG-2").body()).isEmpty();
    }

    @Test
    void aNotificationGoesOutOnceAndOthersUnderItsIdAreRefused() throws Exception {
        assertThat(notify("N-1", CHARGE, "19.90").status()).isEqualTo(202);
        assertThat(notify("N-1", CHARGE, "19.90").status()).isEqualTo(200);
        Answer other = notify("N-1", CHARGE, "19.91");

        assertThat(other.status()).isEqualTo(422);
        assertThat(other.code()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(bank.notifications(CHARGE)).extracting(Notification::amount).containsExactly("19.90");
    }

    @Test
    void aRejectionMovesNothingUntilItIsLifted() throws Exception {
        fault(CHARGE, "{\"kind\":\"REJECT\",\"code\":\"INSUFFICIENT_FUNDS\"}");

        Answer refused = debit("key", CHARGE, "19.90");

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.code()).isEqualTo("INSUFFICIENT_FUNDS");
        assertThat(bank.debits()).isEmpty();

        assertThat(send(request("/faults/" + CHARGE).DELETE()).status()).isEqualTo(204);
        assertThat(debit("key", CHARGE, "19.90").status()).isEqualTo(201);
    }

    @Test
    void aDebitAlreadyMadeIsConfirmedThoughNewOnesAreRejected() throws Exception {
        debit("key", CHARGE, "19.90");
        bank.fault(CHARGE, Fault.reject("ACCOUNT_CLOSED"));

        assertThat(debit("key", CHARGE, "19.90").status()).isEqualTo(200);
        assertThat(debit("another", CHARGE, "19.90").code()).isEqualTo("ACCOUNT_CLOSED");
    }

    @Test
    void anOutageLastsAsManyCallsAsItSays() throws Exception {
        fault(CHARGE, "{\"kind\":\"UNAVAILABLE\",\"status\":503,\"times\":2}");

        assertThat(debit("key", "CHG-other", "19.90").status()).isEqualTo(201);
        assertThat(debit("key-1", CHARGE, "19.90").status()).isEqualTo(503);
        assertThat(debit("key-1", CHARGE, "19.90").status()).isEqualTo(503);
        assertThat(bank.debits(CHARGE)).isEmpty();
        assertThat(debit("key-1", CHARGE, "19.90").status()).isEqualTo(201);
    }

    @Test
    void aRequestLostOnItsWayMovesNothing() throws Exception {
        fault(CHARGE, "{\"kind\":\"TIMEOUT_BEFORE\",\"times\":1}");

        assertDebitTimesOut();
        assertThat(bank.debits(CHARGE)).isEmpty();
        assertThat(debit("key", CHARGE, "19.90").status()).isEqualTo(201);
    }

    @Test
    void anAnswerLostOnItsWayHasMovedMoneyAndTheNextRequestConfirmsIt() throws Exception {
        fault(CHARGE, "{\"kind\":\"TIMEOUT_AFTER\",\"times\":1}");

        assertDebitTimesOut();
        assertThat(bank.debits(CHARGE)).hasSize(1);
        assertThat(debit("key", CHARGE, "19.90").status()).isEqualTo(200);
        assertThat(bank.debits(CHARGE)).hasSize(1);
    }

    @Test
    void theAnswerOfATimeoutComesAfterTheDelayThatIsSet() throws Exception {
        bank.fault(CHARGE, Fault.timeoutBefore().delayedBy(Duration.ofMillis(300)));

        long start = System.nanoTime();
        Answer answer = debit("key", CHARGE, "19.90");

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        assertThat(answer.status()).isEqualTo(503);
        assertThat(bank.debits(CHARGE)).isEmpty();
    }

    @Test
    void aSlowDebitMovesMoneyAndAnswersAfterItsDelay() throws Exception {
        fault(CHARGE, "{\"kind\":\"SLOW\",\"delay\":\"PT0.3S\"}");

        long start = System.nanoTime();
        Answer answer = debit("key", CHARGE, "19.90");

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        assertThat(answer.status()).isEqualTo(201);
    }

    @Test
    void aSlowDebitThatWasHeldWhenTheLedgerWasClearedMovesNothing() throws Exception {
        fault(CHARGE, "{\"kind\":\"SLOW\",\"delay\":\"PT1M\",\"times\":1}");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var held = threads.submit(() -> debit("key", CHARGE, "19.90"));
            // The fault is counted off when the call has begun to wait.
            Awaitility.await()
                    .atMost(Duration.ofSeconds(5))
                    .untilAsserted(() ->
                            assertThat(debit("probe", CHARGE, "1.00").status()).isEqualTo(201));

            assertThat(send(request("/ledger").DELETE()).status()).isEqualTo(204);

            assertThat(held.get().status()).isEqualTo(503);
        }
        assertThat(bank.debits()).isEmpty();
    }

    @Test
    void aFaultOfTheNotificationLeavesTheDebitAlone() throws Exception {
        fault(CHARGE, "{\"kind\":\"UNAVAILABLE\",\"on\":\"notification\",\"times\":1}");

        assertThat(debit("key", CHARGE, "19.90").status()).isEqualTo(201);
        assertThat(notify("N-1", CHARGE, "19.90").status()).isEqualTo(503);
        assertThat(bank.notifications()).isEmpty();
        assertThat(notify("N-1", CHARGE, "19.90").status()).isEqualTo(202);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    {"kind":"EXPLODE"}                              | The field "kind" can't be "EXPLODE".
                    {"kind":"SLOW","delay":"PT1S","colour":"red"}   | There is no field "colour"
                    {"kind":"SLOW","delay":"soon"}                  | The field "delay"
                    {"kind":"SLOW"}                                 | SLOW needs a "delay"
                    {"kind":"REJECT"}                               | A "code" goes with REJECT
                    {"kind":"UNAVAILABLE","code":"X"}               | A "code" goes with REJECT
                    {"kind":"UNAVAILABLE","status":200}             | The "status" must be
                    {"kind":"TIMEOUT_AFTER","times":0}              | "times" must be at least 1.
                    {"kind":"TIMEOUT_AFTER","on":"delivery"}        | The field "on" can't be "delivery".
                    {}                                              | A fault needs a "kind".
                    not json                                        | The body is not
                    """)
    void aFaultThatIsNotUnderstoodIsRefusedWithASentence(String body, String message) throws Exception {
        Answer answer = send(request("/faults/" + CHARGE).PUT(BodyPublishers.ofString(body)));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("message").asText())
                .startsWith(message)
                .endsWith(".")
                .doesNotContain("java", "fasterxml");
        assertThat(debit("key", CHARGE, "19.90").status()).isEqualTo(201);
    }

    @Test
    void aPortThatIsTakenIsSaidInOneSentence() {
        int port = bank.endpoint().getPort();

        assertThatExceptionOfType(ServiceStartException.class)
                .isThrownBy(() -> CoreBankingSimulator.start(port))
                .withMessage(
                        "The core-banking simulator can't start: port %d on 127.0.0.1 is taken by another process.",
                        port);
    }

    @Test
    void itStopsAtOnceThoughAnswersAreHeld() throws Exception {
        var other = CoreBankingSimulator.start(0);
        other.fault(CHARGE, Fault.timeoutAfter());
        var held = HTTP.sendAsync(
                HttpRequest.newBuilder(other.endpoint().resolve("/debits"))
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", "key")
                        .POST(BodyPublishers.ofString(debitBody(CHARGE, "\"19.90\"")))
                        .build(),
                BodyHandlers.ofString());
        Awaitility.await()
                .atMost(Duration.ofSeconds(5))
                .until(() -> other.debits(CHARGE).size() == 1);

        long start = System.nanoTime();
        other.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        Awaitility.await().atMost(Duration.ofSeconds(5)).until(held::isDone);
    }

    private void assertDebitTimesOut() {
        assertThatExceptionOfType(HttpTimeoutException.class)
                .isThrownBy(() -> send(request("/debits")
                        .timeout(Duration.ofMillis(400))
                        .header("Idempotency-Key", "key")
                        .POST(BodyPublishers.ofString(debitBody(CHARGE, "\"19.90\"")))));
    }

    private static Answer debit(String key, String chargeId, String amount) throws IOException, InterruptedException {
        return post("/debits", key, debitBody(chargeId, "\"" + amount + "\""));
    }

    private static String debitBody(String chargeId, String amount) {
        return """
                {"chargeId":"%s","accountId":"ACC-42","chargeType":"SMS_ALERT_FEE","amount":%s,"currency":"EUR",\
                "dueAt":"2026-03-01T00:00:00Z"}""".formatted(chargeId, amount);
    }

    private static Answer notify(String id, String chargeId, String amount) throws IOException, InterruptedException {
        return post("/notifications", id, """
                {"notificationId":"%s","chargeId":"%s","accountId":"ACC-42","amount":"%s","currency":"EUR",\
                "debitReference":"DEB-1"}""".formatted(id, chargeId, amount));
    }

    private static void fault(String chargeId, String json) throws IOException, InterruptedException {
        assertThat(send(request("/faults/" + chargeId).PUT(BodyPublishers.ofString(json)))
                        .status())
                .isEqualTo(204);
    }

    private static Answer get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    private static Answer post(String path, String key, String body) throws IOException, InterruptedException {
        return send(request(path).header("Idempotency-Key", key).POST(BodyPublishers.ofString(body)));
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(bank.endpoint().resolve(path)).header("Content-Type", "application/json");
    }

    private static Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        var response = HTTP.send(request.build(), BodyHandlers.ofString());
        return new Answer(response.statusCode(), JSON.readTree(response.body()));
    }
}
