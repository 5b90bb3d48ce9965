package com.finedge.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Claims;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.support.OnceProcess;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** What docs/your-own-route.md prints is what runs here, on real queues and a real table. */
class YourOwnRouteIT {

    private static final Path DOCUMENT = Path.of("docs/your-own-route.md");
    private static final Path SOURCE = Path.of("src/test/java/com/acme/vouchers/IssueVouchers.java");
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int ATTEMPTS = 3;
    private static final String CONTENT = "${body[customerId]} ${body[amount]}";

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final LocalResources RESOURCES = SERVICES.fresh();
    private static final WireMockServer LOYALTY =
            new WireMockServer(WireMockConfiguration.options().dynamicPort().bindAddress("127.0.0.1"));

    @TempDir
    private static Path folder;

    private static Queue vouchers;
    private static Queue deadLetters;
    private static RunningOnce once;

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    /** Names and redrive policy are those of the document. */
    @BeforeAll
    static void startWhatTheDocumentSays() throws IOException {
        LOYALTY.start();
        String deadLettersUrl = SERVICES.sqs()
                .createQueue(request -> request.queueName("vouchers-dlq")
                        .attributes(Map.of(QueueAttributeName.MESSAGE_RETENTION_PERIOD, "1209600")))
                .queueUrl();
        SERVICES.sqs()
                .createQueue(request -> request.queueName("vouchers")
                        .attributes(Map.of(
                                QueueAttributeName.MESSAGE_RETENTION_PERIOD,
                                "345600",
                                QueueAttributeName.VISIBILITY_TIMEOUT,
                                "60",
                                QueueAttributeName.REDRIVE_POLICY,
                                "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":\"30\"}"
                                        .formatted(arn(deadLettersUrl)))));
        vouchers = Queue.named(SERVICES.sqs(), "vouchers");
        deadLetters = Queue.named(SERVICES.sqs(), "vouchers-dlq");
        String yaml = blocks("yaml").getFirst();
        Files.writeString(folder.resolve("issue-vouchers.camel.yaml"), yaml);
        // The same with what the document says of content, beside it.
        for (String queue : List.of("gifts", "gifts-dlq")) {
            SERVICES.sqs().createQueue(request -> request.queueName(queue));
        }
        Files.writeString(
                folder.resolve("issue-gifts.camel.yaml"),
                yaml.replace("issue-vouchers", "issue-gifts")
                        .replace("value: vouchers}", "value: gifts}")
                        .replace(
                                "value: voucher-issue}",
                                "value: gift-issue}, {name: content, value: \"" + CONTENT + "\"}"));

        Map<String, String> settings = settingsAsPrinted();
        settings.put("once.routes", folder.toString());
        settings.put("vouchers.url", LOYALTY.baseUrl());
        settings.put("once.charges.max-attempts", Integer.toString(ATTEMPTS));
        settings.put("once.charges.back-off", "100ms");
        settings.put("once.charges.max-back-off", "1s");
        once = RunningOnce.start(settings);
    }

    private static Map<String, String> settingsAsPrinted() throws IOException {
        Properties printed = new Properties();
        printed.load(new StringReader(blocks("properties").getFirst()));
        Map<String, String> settings = new HashMap<>(SERVICES.properties(RESOURCES));
        printed.forEach((key, value) -> settings.put((String) key, (String) value));
        return settings;
    }

    private static String arn(String url) {
        return Objects.requireNonNull(SERVICES.sqs()
                .getQueueAttributes(request -> request.queueUrl(url).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN));
    }

    @AfterAll
    static void stop() {
        once.close();
        LOYALTY.stop();
    }

    private static String message(String voucher, String amount) {
        return "{\"voucherId\": \"%s\", \"customerId\": \"C-42\", \"amount\": \"%s\"}".formatted(voucher, amount);
    }

    private static void loyaltyAnswers(String voucher, ResponseDefinitionBuilder answer) {
        LOYALTY.stubFor(WireMock.post("/vouchers")
                .withRequestBody(WireMock.containing("\"" + voucher + "\""))
                .willReturn(answer));
    }

    /** The idempotency keys of the calls for the voucher, in their order. */
    private static List<String> calls(String voucher) {
        return LOYALTY
                .findAll(WireMock.postRequestedFor(WireMock.urlEqualTo("/vouchers"))
                        .withRequestBody(WireMock.containing("\"" + voucher + "\"")))
                .stream()
                .map(call -> call.getHeader("Idempotency-Key"))
                .toList();
    }

    private static ClaimRecord claim(String voucher) {
        return once.bean(Claims.class)
                .find(new ClaimKey("voucher-issue", voucher))
                .orElseThrow();
    }

    private static List<Message> deadLettersOf(String text) {
        return await().atMost(LONGEST)
                .until(
                        () -> deadLetters.drain().stream()
                                .filter(message -> message.body().contains(text))
                                .toList(),
                        some -> !some.isEmpty());
    }

    private static void everythingHasEnded() {
        await().atMost(LONGEST).until(() -> vouchers.size() == 0);
    }

    @Test
    void theRouteHasSixLinesAndTheClassIsTheOneThatIsCompiled() throws IOException {
        assertThat(blocks("yaml")).hasSize(1);
        assertThat(blocks("yaml").getFirst().lines()).hasSize(6);
        assertThat(blocks("java")).containsExactly(Files.readString(SOURCE));
    }

    @Test
    void fiveDeliveriesIssueOneVoucher() throws IOException {
        loyaltyAnswers("V-1001", WireMock.created());
        for (int i = 0; i < 5; i++) {
            vouchers.send(blocks("json").getFirst());
        }

        everythingHasEnded();

        assertThat(calls("V-1001")).containsExactly("voucher-issue:V-1001");
        assertThat(claim("V-1001").state()).isEqualTo(ClaimState.DONE);
        assertThat(claim("V-1001").outcome()).isEqualTo("ISSUED");
    }

    @Test
    void anEffectThatFailsComesBackUnderTheSameKeyAndEndsInTheDeadLetterQueue() {
        loyaltyAnswers("V-down", WireMock.serverError());
        vouchers.send(message("V-down", "25.00"));

        assertThat(deadLettersOf("V-down")).singleElement().satisfies(dead -> {
            assertThat(dead.body()).isEqualTo(message("V-down", "25.00"));
            assertThat(Queue.attribute(dead, "code")).isEqualTo("RETRIES_EXHAUSTED");
            assertThat(Queue.attribute(dead, "businessKey")).isEqualTo("V-down");
            assertThat(Queue.attribute(dead, "sourceQueue")).isEqualTo("vouchers");
        });
        everythingHasEnded();
        assertThat(calls("V-down")).hasSize(ATTEMPTS).containsOnly("voucher-issue:V-down");
        assertThat(claim("V-down").state()).isEqualTo(ClaimState.FAILED);
        assertThat(claim("V-down").fence()).isEqualTo(ATTEMPTS);
    }

    @Test
    void anExceptionIsTriedAgainAndDoneAtLast() {
        LOYALTY.stubFor(WireMock.post("/vouchers")
                .inScenario("reset")
                .whenScenarioStateIs("Started")
                .withRequestBody(WireMock.containing("\"V-reset\""))
                .willReturn(WireMock.aResponse()
                        .withFault(com.github.tomakehurst.wiremock.http.Fault.CONNECTION_RESET_BY_PEER))
                .willSetStateTo("well"));
        LOYALTY.stubFor(WireMock.post("/vouchers")
                .inScenario("reset")
                .whenScenarioStateIs("well")
                .withRequestBody(WireMock.containing("\"V-reset\""))
                .willReturn(WireMock.ok()));
        vouchers.send(message("V-reset", "25.00"));

        await().atMost(LONGEST)
                .untilAsserted(() -> assertThat(claim("V-reset").state()).isEqualTo(ClaimState.DONE));
        everythingHasEnded();
        assertThat(claim("V-reset").fence()).isEqualTo(2);
    }

    @Test
    void aRefusalIsCopiedToTheDeadLetterQueueWithoutAnotherRun() {
        loyaltyAnswers("V-poor", WireMock.status(422));
        vouchers.send(message("V-poor", "25.00"));

        assertThat(deadLettersOf("V-poor"))
                .singleElement()
                .satisfies(dead -> assertThat(Queue.attribute(dead, "code")).isEqualTo("NOT_ELIGIBLE"));
        everythingHasEnded();
        assertThat(calls("V-poor")).hasSize(1);
    }

    @Test
    void theSameKeyWithAnotherContentIsAConflictAndTheOrderOfFieldsIsNone() {
        loyaltyAnswers("V-twice", WireMock.created());
        vouchers.send(message("V-twice", "25.00"));
        everythingHasEnded();

        vouchers.send("{\"amount\":\"25.00\",\"customerId\":\"C-42\",\"voucherId\":\"V-twice\"}");
        everythingHasEnded();
        vouchers.send(message("V-twice", "2500.00"));

        assertThat(deadLettersOf("V-twice")).singleElement().satisfies(dead -> {
            assertThat(dead.body()).contains("2500.00");
            assertThat(Queue.attribute(dead, "code")).isEqualTo("CONFLICT");
        });
        assertThat(calls("V-twice")).hasSize(1);
    }

    @Test
    void whereTheContentIsNamedAnotherEnvelopeIsNoConflictAndAnotherContentIs() throws IOException {
        assertThat(Files.readString(DOCUMENT)).contains("`" + CONTENT + "`");
        Queue gifts = Queue.named(SERVICES.sqs(), "gifts");
        loyaltyAnswers("G-1", WireMock.created());
        gifts.send("{\"eventId\":\"1\",\"voucherId\":\"G-1\",\"customerId\":\"C-42\",\"amount\":\"25.00\"}");
        await().atMost(LONGEST).until(() -> gifts.size() == 0);
        gifts.send("{\"eventId\":\"2\",\"voucherId\":\"G-1\",\"customerId\":\"C-42\",\"amount\":\"25.00\"}");
        gifts.send("{\"eventId\":\"3\",\"voucherId\":\"G-1\",\"customerId\":\"C-42\",\"amount\":\"2500.00\"}");
        await().atMost(LONGEST).until(() -> gifts.size() == 0);

        assertThat(Queue.named(SERVICES.sqs(), "gifts-dlq").drain())
                .extracting(Message::body)
                .singleElement()
                .asString()
                .contains("2500.00");
        assertThat(calls("G-1")).containsExactly("gift-issue:G-1");
    }

    @Test
    void aMessageWithoutAKeyOrWithoutJsonIsDeadLetteredAndHoldsUpNobody() {
        vouchers.send("{\"customer\": \"keyless\"}");
        vouchers.send("{\"voucherId\": \"not a key\"}");
        vouchers.send("no json");

        Map<String, String> codes = new HashMap<>();
        await().atMost(LONGEST).until(() -> {
            deadLetters.drain().forEach(dead -> codes.put(dead.body(), Queue.attribute(dead, "code")));
            return codes.size() >= 3;
        });

        assertThat(codes)
                .containsEntry("{\"customer\": \"keyless\"}", "MISSING_FIELD")
                .containsEntry("{\"voucherId\": \"not a key\"}", "INVALID_VALUE")
                .containsEntry("no json", "NOT_JSON");
    }

    /** The loyalty service has done it; the process dies before it can be told. */
    @Test
    void aProcessKilledInsideTheEffectIsFollowedByAnotherUnderTheSameKey(@TempDir Path routes) throws IOException {
        for (String queue : List.of("rewards", "rewards-dlq")) {
            SERVICES.sqs().createQueue(request -> request.queueName(queue));
        }
        Queue rewards = Queue.named(SERVICES.sqs(), "rewards");
        Files.writeString(
                routes.resolve("issue-rewards.camel.yaml"),
                blocks("yaml")
                        .getFirst()
                        .replace("issue-vouchers", "issue-rewards")
                        .replace("value: vouchers}", "value: rewards}"));
        Map<String, String> settings = settingsAsPrinted();
        settings.put("once.routes", routes.toString());
        settings.put("vouchers.url", LOYALTY.baseUrl());
        settings.put("once.claims.lease", "4s");
        settings.put("once.claims.max-hold", "30s");
        settings.put("once.charges.visibility", "2s");
        settings.put("once.core-banking.read-timeout", "1s");
        settings.put("once.aws.call-timeout", "3s");
        loyaltyAnswers("R-1", WireMock.created().withFixedDelay(60_000));
        rewards.send(message("R-1", "25.00"));

        try (OnceProcess first = OnceProcess.start(settings).awaitStart()) {
            await().atMost(Duration.ofSeconds(90)).until(() -> !calls("R-1").isEmpty());
            first.kill();
        }
        loyaltyAnswers("R-1", WireMock.ok());
        try (OnceProcess second = OnceProcess.start(settings)) {
            second.awaitStart();
            await().atMost(LONGEST).until(() -> rewards.size() == 0);
        }

        assertThat(calls("R-1")).hasSize(2).containsOnly("voucher-issue:R-1");
        assertThat(claim("R-1").state()).isEqualTo(ClaimState.DONE);
        assertThat(claim("R-1").fence()).isEqualTo(2);
    }
}
