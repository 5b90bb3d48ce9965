package com.finedge.once.adapter.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.finedge.once.billing.Billing;
import com.finedge.once.contract.ChargeFailed;
import com.finedge.once.contract.ChargeRecovered;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.Events;
import com.finedge.once.support.RunningOnce;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The API in the running application; every answer is held against its description. */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class ChargesApiIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Path INVALID = Path.of("src/test/resources/contract/charge-due-event/invalid");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private final PostgresServer.Database database = SERVICES.postgres().fresh();
    private final DataSource dataSource = database.dataSource();
    private final JdbcClient jdbc = JdbcClient.create(dataSource);
    private final HttpClient http = HttpClient.newHttpClient();
    private final RunningOnce once;
    private final ApiDescription description;

    ChargesApiIT() {
        LocalResources resources = SERVICES.fresh();
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.putAll(database.properties());
        settings.put("once.roles", "billing");
        settings.put("spring.datasource.hikari.connection-timeout", "500");
        once = RunningOnce.start(settings);
        description = new ApiDescription(
                call("GET", "/openapi.yaml", null, null).response().body());
    }

    @AfterAll
    void stop() {
        once.close();
        http.close();
    }

    private Answer call(String method, String path, byte @Nullable [] body, @Nullable String key, String... headers) {
        return send(method, once.url() + path, body, key, headers);
    }

    private Answer send(String method, String url, byte @Nullable [] body, @Nullable String key, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        if (key != null) {
            all.addAll(List.of("Idempotency-Key", key));
        }
        return Answer.to(http, method, url, body, all.toArray(String[]::new));
    }

    private Answer described(Answer answer) {
        assertThat(description.faultsOf(answer)).isEmpty();
        return answer;
    }

    private Answer post(@Nullable String key, byte[] body, String... headers) {
        String[] all = headers.length > 0 ? headers : new String[] {"Content-Type", "application/json"};
        return described(call("POST", "/charges", body, key, all));
    }

    private Answer post(@Nullable String key, String body) {
        return post(key, body.getBytes(UTF_8));
    }

    private Answer get(String chargeId) {
        return described(call("GET", "/charges/" + chargeId, null, null));
    }

    private static String newKey() {
        return '"' + UUID.randomUUID().toString() + '"';
    }

    private static String charge(String chargeId) {
        return charge(chargeId, "19.90", "EUR");
    }

    private static String charge(String chargeId, String amount, String currency) {
        return """
                {"chargeId":"%s","accountId":"ACC-42","chargeType":"SMS_ALERT_FEE","amount":"%s","currency":"%s",\
                "dueAt":"2026-03-01T00:00:00Z"}""".formatted(chargeId, amount, currency);
    }

    private long count(String sql, String value) {
        return jdbc.sql(sql).param(value).query(Long.class).single();
    }

    private long charges(String chargeId) {
        return count("SELECT count(*) FROM charge WHERE charge_id = ?", chargeId);
    }

    private long events(String chargeId) {
        return count("SELECT count(*) FROM outbox WHERE body LIKE '%\"' || ? || '\"%'", chargeId);
    }

    private long keys(String key) {
        return count("SELECT count(*) FROM idempotency_key WHERE key = ?", key.replace("\"", ""));
    }

    private double counted(String result) {
        return once.bean(MeterRegistry.class)
                .counter(MeterNames.BILLING_REQUESTS, "result", result)
                .count();
    }

    @Test
    void aChargeIsRaisedAndFound() {
        String id = Events.newChargeId();

        Answer raised = post(newKey(), charge(id));

        assertThat(raised.status()).isEqualTo(201);
        assertThat(raised.header("Location")).contains("/charges/" + id);
        assertThat(raised.text("state")).isEqualTo("RAISED");
        assertThat(raised.text("accountId")).isEqualTo("ACC-42");
        assertThat(events(id)).isEqualTo(1);

        Answer found = described(call("GET", raised.header("Location").orElseThrow(), null, null));
        assertThat(found.status()).isEqualTo(200);
        assertThat(found.json()).isEqualTo(raised.json());
        assertThat(call("HEAD", "/charges/" + id, null, null).status()).isEqualTo(200);
    }

    @Test
    void aChargeWithoutAnIdIsGivenOne() {
        Answer raised = post(newKey(), charge("x").replace("\"chargeId\":\"x\",", ""));

        assertThat(raised.status()).isEqualTo(201);
        assertThat(get(raised.text("chargeId")).json()).isEqualTo(raised.json());
    }

    @ParameterizedTest
    @CsvSource({
        "19.9, EUR, 19.90",
        "99999999999999.99, EUR, 99999999999999.99",
        "9007199254740993, EUR, 9007199254740993.00",
        "600.00, EUR, 600.00",
        "10000, JPY, 10000",
        "1.234, KWD, 1.234",
        "999999999999999999, JPY, 999999999999999999"
    })
    void anAmountIsKeptDigitForDigit(String sent, String currency, String kept) {
        String id = Events.newChargeId();

        assertThat(post(newKey(), charge(id, sent, currency)).text("amount")).isEqualTo(kept);
        assertThat(get(id).text("amount")).isEqualTo(kept);
        assertThat(events(id)).isEqualTo(1);
        assertThat(jdbc.sql("SELECT body FROM outbox WHERE body LIKE '%\"' || ? || '\"%'")
                        .param(id)
                        .query(String.class)
                        .single())
                .contains("\"amount\":\"" + kept + "\"");
    }

    @Test
    void theSameRequestAgainGetsTheSameAnswerWhateverHasBecomeOfTheCharge() {
        String id = Events.newChargeId();
        String key = newKey();
        double replayed = counted("replayed");
        Answer first = post(key, charge(id));
        once.bean(Billing.class)
                .settle(ChargeFailed.of(
                        id, 1, "INSUFFICIENT_FUNDS", "the bank refused", Instant.parse("2026-03-02T00:00:00Z")));

        Answer again = post(
                key.replace("\"", ""),
                " { \"dueAt\" : \"2026-03-01T01:00:00+01:00\", \"currency\":\"EUR\", \"amount\":\"19.9\",\n"
                        + "\"chargeType\":\"SMS_ALERT_FEE\", \"accountId\":\"ACC\\u002d42\", \"chargeId\":\"" + id
                        + "\"}");

        assertThat(again.status()).isEqualTo(first.status());
        assertThat(again.response().body()).isEqualTo(first.response().body());
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        assertThat(events(id)).isEqualTo(1);
        assertThat(counted("replayed")).isEqualTo(replayed + 1);
        assertThat(get(id).text("state")).isEqualTo("FAILED");
    }

    @Test
    void aSettledChargeSaysHow() {
        String id = Events.newChargeId();
        post(newKey(), charge(id));
        Instant at = Instant.parse("2026-03-02T00:00:00Z");

        once.bean(Billing.class).settle(ChargeFailed.of(id, 1, "INSUFFICIENT_FUNDS", "the bank refused", at));
        assertThat(get(id).text("code")).isEqualTo("INSUFFICIENT_FUNDS");

        once.bean(Billing.class)
                .settle(ChargeRecovered.of(
                        id, ChargeRecovered.Outcome.DEBITED, "19.90", "EUR", Optional.of("DBT-1"), at));
        Answer recovered = get(id);
        assertThat(recovered.text("state")).isEqualTo("RECOVERED");
        assertThat(recovered.text("debitReference")).isEqualTo("DBT-1");
        assertThat(recovered.json().has("code")).isFalse();
    }

    @Test
    void aKeyIsNoGoodForAnotherRequest() {
        String key = newKey();
        double mismatches = counted("mismatch");
        post(key, charge(Events.newChargeId()));
        String other = Events.newChargeId();

        Answer refused = post(key, charge(other));

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.problem()).isEqualTo("idempotency-key-reused");
        assertThat(charges(other)).isZero();
        assertThat(counted("mismatch")).isEqualTo(mismatches + 1);
    }

    @Test
    void aRequestWhoseFirstIsStillBeingWorkedOnIsToComeAgain() {
        String id = Events.newChargeId();
        String key = newKey();
        double inFlight = counted("in-flight");
        var transaction = new TransactionTemplate(new DataSourceTransactionManager(dataSource));

        transaction.executeWithoutResult(status -> {
            jdbc.sql("SELECT pg_advisory_xact_lock(hashtextextended('idempotency-key:' || ?, 0))")
                    .param(key.replace("\"", ""))
                    .query()
                    .singleRow();

            Answer refused = post(key, charge(id));
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.problem()).isEqualTo("request-in-flight");
            assertThat(refused.header("Retry-After")).contains("1");
        });

        assertThat(charges(id)).isZero();
        assertThat(counted("in-flight")).isEqualTo(inFlight + 1);
        assertThat(post(key, charge(id)).status()).isEqualTo(201);
    }

    @Test
    void twentyAtOnceWithOneKeyRaiseOneCharge() throws Exception {
        String id = Events.newChargeId();
        String key = newKey();
        Callable<Answer> request = () -> post(key, charge(id));
        List<Answer> answers = new ArrayList<>();
        try (ExecutorService senders = Executors.newFixedThreadPool(20)) {
            for (Future<Answer> answer : senders.invokeAll(Collections.nCopies(20, request))) {
                answers.add(answer.get());
            }
        }

        assertThat(charges(id)).isEqualTo(1);
        assertThat(events(id)).isEqualTo(1);
        assertThat(keys(key)).isEqualTo(1);
        assertThat(answers)
                .extracting(answer -> answer.status() + " " + answer.problem())
                .contains("201 ")
                .containsOnly("201 ", "409 request-in-flight");
        assertThat(answers.stream()
                        .filter(answer -> answer.status() == 201)
                        .map(answer -> answer.response().body())
                        .distinct())
                .hasSize(1);
    }

    @Test
    void aChargeThatExistsIsSaidToUnderAnotherKey() {
        String id = Events.newChargeId();
        post(newKey(), charge(id));

        Answer same = post(newKey(), charge(id));
        Answer other = post(newKey(), charge(id, "20.00", "EUR"));

        assertThat(List.of(same, other)).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.problem()).isEqualTo("charge-exists");
            assertThat(answer.header("Location")).contains("/charges/" + id);
        });
        assertThat(same.json().path("sameContent").asBoolean()).isTrue();
        assertThat(other.json().path("sameContent").asBoolean(true)).isFalse();
        assertThat(get(id).text("amount")).isEqualTo("19.90");
        assertThat(events(id)).isEqualTo(1);
    }

    @Test
    void aKeyIsRequired() {
        String id = Events.newChargeId();

        assertThat(post(null, charge(id)).problem()).isEqualTo("idempotency-key-missing");
        assertThat(post("a b", charge(id)).problem()).isEqualTo("idempotency-key-malformed");
        assertThat(post("\"null\"", charge(id)).problem()).isEqualTo("idempotency-key-malformed");
        assertThat(charges(id)).isZero();
    }

    static Stream<Path> bodiesThatTheContractRefuses() throws IOException {
        try (Stream<Path> files = Files.walk(INVALID)) {
            return files
                    .filter(file -> file.getFileName()
                            .toString()
                            .matches("(account-id|amount|charge-id|charge-type|currency|due-at)-.*"))
                    // Here it may be: one is made.
                    .filter(file -> !file.endsWith("charge-id-absent.json"))
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("bodiesThatTheContractRefuses")
    void aValueThatTheContractRefusesIsRefusedByItsField(Path file) throws IOException {
        ObjectNode request = (ObjectNode) JSON.readTree(Files.readString(file));
        request.remove(List.of("schemaVersion", "eventId", "occurredAt"));
        Matcher field = Pattern.compile("(account-id|amount|charge-id|charge-type|currency|due-at)-.*")
                .matcher(file.getFileName().toString());
        assertThat(field.matches()).isTrue();
        String key = newKey();

        Answer refused = post(key, JSON.writeValueAsString(request));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo("invalid-request");
        assertThat(refused.text("field").replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .isEqualTo(field.group(1));
        assertThat(keys(key)).isZero();
    }

    static Stream<String> noRequests() {
        String good = charge("CHG-GOOD");
        return Stream.of(
                "",
                "  ",
                "null",
                "[]",
                "\"" + good.replace("\"", "\\\"") + "\"",
                "\uFEFF" + good,
                good + good,
                good + " }",
                good.replace("}", ",}"),
                good.substring(0, good.length() - 1),
                good.replace("{", "{\"chargeId\":\"CHG-OTHER\","),
                good.replace("}", ",\"note\":\"hello\"}"),
                good.replace("chargeId", "chargeID"),
                good.replace("CHG-GOOD", "CHG-\u0000GOOD"),
                good.replace("CHG-GOOD", "CHG-\\u0000GOOD"),
                good.replace("CHG-GOOD", "CHG-\\ud800GOOD"),
                good.replace("accountId", "account\\ud800Id"),
                good.replace("ACC-42", "\\udc00"),
                good.replace("\"19.90\"", "19.90"),
                good.replace("2026-03-01T00:00:00Z", "2026-03-01T00:00:00"),
                good.replace("2026-03-01T00:00:00Z", "2026-03-01T23:59:60Z"),
                good.replace("2026-03-01T00:00:00Z", "2026-03-01T00:00:00+0100"),
                good.replace("\"2026-03-01T00:00:00Z\"", "1772359200000"),
                good.replace("SMS_ALERT_FEE", "NO_SUCH_FEE"),
                good.replace("ACC-42", "x".repeat(9_000)),
                "[".repeat(10_000));
    }

    @ParameterizedTest
    @MethodSource("noRequests")
    void whatIsNoRequestIsRefusedAndQuotedNowhere(String body) {
        String key = newKey();

        Answer refused = post(key, body);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo("invalid-request");
        assertThat(refused.response().body())
                .doesNotContain("CHG-", "ACC-42", "hello", "chargeID", "NO_SUCH_FEE", "xxx", "com.f", "Exception");
        assertThat(keys(key)).isZero();
    }

    @Test
    void bytesThatAreNoTextAreRefused() {
        byte[] loneSurrogate = charge("CHG-?GOOD").getBytes(ISO_8859_1);
        String text = new String(loneSurrogate, ISO_8859_1).replace("?", "\u00ed\u00a0\u0080");

        assertThat(post(newKey(), text.getBytes(ISO_8859_1)).problem()).isEqualTo("invalid-request");
        assertThat(post(newKey(), charge("CHG-\u00e9").getBytes(ISO_8859_1)).text("detail"))
                .isEqualTo("the body must be UTF-8");
        assertThat(post(newKey(), charge("CHG-1").getBytes(UTF_16)).problem()).isEqualTo("invalid-request");
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() {
        String padded = charge(Events.newChargeId()) + " ".repeat(16 * 1024);

        assertThat(post(newKey(), padded).problem()).isEqualTo("body-too-large");
        assertThat(post(newKey(), padded.substring(0, 16 * 1024)).status()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "application/json;charset=iso-8859-1",
                "application/json;charset=no-such",
                "application/problem+json",
                "json"
            })
    void anotherContentTypeIsRefused(String type) {
        Answer refused = post(newKey(), charge("CHG-GOOD").getBytes(UTF_8), "Content-Type", type);

        assertThat(refused.status()).isEqualTo(415);
        assertThat(refused.problem()).isEqualTo("unsupported-media-type");
    }

    @Test
    void aContentTypeIsRequiredAndMayNameUtf8() {
        byte[] body = charge(Events.newChargeId()).getBytes(UTF_8);

        assertThat(post(newKey(), body, "X-Nothing", "here").status()).isEqualTo(415);
        assertThat(post(newKey(), body, "Content-Type", "application/json", "Content-Encoding", "gzip")
                        .status())
                .isEqualTo(415);
        assertThat(post(newKey(), body, "Content-Type", "Application/JSON; charset=UTF-8")
                        .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CHG-NO-SUCH", "..%20", "%F0%9F%98%80", "' OR 1=1"})
    void aChargeThatNobodyRaisedIsNotFound(String id) {
        Answer refused = get(id.replace(" ", "%20").replace("'", "%27"));

        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.problem()).isEqualTo("charge-not-found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%00", "%ED%A0%80"})
    void aPathThatIsNoTextIsRefused(String id) {
        Answer refused = call("GET", "/charges/" + id, null, null);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.response().body()).doesNotContain("Exception", "at org", "SQL");
    }

    @Test
    void otherMethodsAreNotAllowed() {
        Answer put = call("PUT", "/charges", charge("CHG-1").getBytes(UTF_8), newKey());
        Answer delete = call("DELETE", "/charges/CHG-1", null, null);

        assertThat(put.status()).isEqualTo(405);
        assertThat(put.problem()).isEqualTo("method-not-allowed");
        assertThat(put.header("Allow")).contains("POST");
        assertThat(delete.status()).isEqualTo(405);
        assertThat(delete.header("Allow")).contains("GET, HEAD");
    }

    /** Headers that a decent client wouldn't send, written by hand. */
    @Test
    void aKeyOfOtherBytesIsRefused() throws IOException {
        String body = charge("CHG-GOOD");
        for (String key : List.of("\"\u00ed\u00a0\u0080\"", "\"\u00e4\"", "\"a\"\r\nIdempotency-Key: \"b\"")) {
            String answer = raw(
                    "POST /charges HTTP/1.1\r\nHost: once\r\nConnection: close\r\nContent-Type: application/json\r\n"
                            + "Idempotency-Key: " + key + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);

            assertThat(answer).startsWith("HTTP/1.1 400").contains("urn:once:problem:idempotency-key-malformed");
        }
        assertThat(charges("CHG-GOOD")).isZero();
    }

    private String raw(String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), once.url().getPort())) {
            socket.setSoTimeout((int) LONGEST.toMillis());
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(ISO_8859_1));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void aDatabaseThatIsAwayIsToBeTriedAgainWithTheSameKey() {
        String id = Events.newChargeId();
        String key = newKey();
        SERVICES.postgres().away(database);
        try {
            Answer refused = post(key, charge(id));

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.problem()).isEqualTo("unavailable");
            assertThat(refused.header("Retry-After")).contains("5");
            assertThat(refused.response().body()).doesNotContain("jdbc", "Hikari", "Exception", "SQL");
            assertThat(get(id).status()).isEqualTo(503);
        } finally {
            SERVICES.postgres().back(database);
        }

        assertThat(charges(id)).isZero();
        await().atMost(LONGEST).until(() -> post(key, charge(id)).status(), status -> status == 201);
        assertThat(events(id)).isEqualTo(1);
    }

    /** As of a process that is paused in the middle of its transaction. */
    @Test
    void aTransactionThatDoesNotEndKeepsNobodyWaiting() {
        String id = Events.newChargeId();
        String key = newKey();
        var transaction = new TransactionTemplate(new DataSourceTransactionManager(dataSource));

        transaction.executeWithoutResult(status -> {
            jdbc.sql("""
                            INSERT INTO charge (charge_id, account_id, charge_type, amount, currency, due_at, raised_at)
                            VALUES (?, 'ACC-1', 'SMS_ALERT_FEE', 1, 'EUR', now(), now())""").param(id).update();

            assertThat(post(key, charge(id)).problem()).isEqualTo("unavailable");
            status.setRollbackOnly();
        });

        assertThat(post(key, charge(id)).status()).isEqualTo(201);
    }

    @Test
    void aFaultOfOursTellsNothingAndLeavesNothing(CapturedOutput output) {
        String id = Events.newChargeId();
        String key = newKey();
        JdbcClient owner = JdbcClient.create(database.ownersDataSource());
        owner.sql("ALTER TABLE idempotency_key ADD CONSTRAINT never CHECK (length(key) > 1000) NOT VALID")
                .update();
        owner.sql("ALTER TABLE charge ADD CONSTRAINT not_this_account CHECK (account_id <> 'ACC-SECRET') NOT VALID")
                .update();
        try {
            Answer late = post(key, charge(id));
            Answer early = post(key, charge(id).replace("ACC-42", "ACC-SECRET"));

            assertThat(List.of(late, early)).allSatisfy(failed -> {
                assertThat(failed.status()).isEqualTo(500);
                assertThat(failed.problem()).isEqualTo("internal-error");
                assertThat(failed.response().body()).doesNotContain("constraint", "INSERT", "Exception", "at com");
            });
        } finally {
            owner.sql("ALTER TABLE idempotency_key DROP CONSTRAINT never").update();
            owner.sql("ALTER TABLE charge DROP CONSTRAINT not_this_account").update();
        }

        assertThat(output.getAll())
                .contains("a request failed", "not_this_account")
                .doesNotContain("ACC-SECRET");
        assertThat(charges(id)).isZero();
        assertThat(events(id)).isZero();
        assertThat(keys(key)).isZero();
        assertThat(post(key, charge(id)).status()).isEqualTo(201);
    }

    @Test
    void theDescriptionIsValidAndNamesEveryProblem() {
        assertThat(description.faults()).isEmpty();
        List<String> types = new ArrayList<>();
        description
                .document()
                .at("/components/schemas/Problem/properties/type/enum")
                .forEach(type -> types.add(type.asText()));

        assertThat(types)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Problem.values())
                        .map(problem -> problem.type().toString())
                        .toList());
    }

    @Test
    void aProcessOfAnotherRoleHasNoSuchApi() {
        try (RunningOnce other = RunningOnce.start(SERVICES.properties(SERVICES.fresh()))) {
            for (String path : List.of("/charges", "/charges/CHG-1", "/openapi.yaml")) {
                assertThat(send("GET", other.url() + path, null, null).status())
                        .as(path)
                        .isEqualTo(404);
            }
        }
    }

    /** A check that finds nothing in such answers would find nothing anywhere. */
    @Test
    void whatTheDescriptionDoesNotSayIsFound() {
        String id = Events.newChargeId();
        Answer raised = post(newKey(), charge(id));

        assertThat(description.faultsOf(new Answer("GET", "/charges/" + id, raised.response())))
                .containsExactly("GET /charges/{id} 201 is not described");
        ApiDescription other = new ApiDescription("""
                paths: {/charges: {post: {responses: {'201': {
                  headers: {Location: {}, Retry-After: {required: true}},
                  content: {application/json: {schema: {required: [colour]}}}}}}}}""");
        assertThat(other.faultsOf(raised))
                .hasSize(3)
                .anyMatch(fault -> fault.endsWith("has the header cache-control"))
                .anyMatch(fault -> fault.endsWith("lacks the header Retry-After"))
                .anyMatch(fault -> fault.contains("colour"));
        assertThat(other.faults()).isNotEmpty();
    }
}
