package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.adapter.dynamodb.DynamoClaimStore;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.config.Role;
import com.finedge.once.support.ConsoleSession;
import com.finedge.once.support.Events;
import com.finedge.once.support.OnceProcess;
import com.finedge.once.support.Operators;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RecordedCalls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The policies of deploy/aws/once.yaml against what each role really calls: as it is deployed, each in a process of its own,
 * which is brought to do all that it does and then stopped. What this test itself calls is in another process, and not counted.
 */
class PoliciesIT {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final LocalServices SERVICES = LocalServices.shared();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final OrderQueues ORDERS = OrderQueues.unique();

    /** Under the names that the template gives them. */
    private static final LocalResources CHARGES = LocalResources.STANDARD
            .named(name("charges"), name("charges-dlq"), name("once-claims"))
            .withOutcomesQueue(name("charge-outcomes"))
            .withVisibility(Duration.ofSeconds(6));

    private static final PostgresServer.Database DATABASE =
            SERVICES.postgres().fresh().migrated();
    private static final ClaimStore CLAIMS = new DynamoClaimStore(SERVICES.dynamoDb(), CHARGES.table());
    private static final String REFUSED = Events.newChargeId();
    private static final String POSTPONED = Events.newChargeId();
    private static final String UNKNOWN = Events.newChargeId();

    private static final Map<Role, Pod> PODS = new EnumMap<>(Role.class);

    @SuppressWarnings("NullAway.Init")
    private static JsonNode template;

    private static String name(String inTemplate) {
        return ORDERS.prefix() + inTemplate;
    }

    /** A role in a process of its own, as its callers and its operators see it. */
    private record Pod(OnceProcess process, URI api, URI management, Path calls) {

        static Pod start(Role role, Path calls) {
            int port = BillingPod.freePort();
            int managementPort = BillingPod.freePort();
            Map<String, String> settings = settings();
            settings.put("once.roles", role.name());
            settings.put("server.port", Integer.toString(port));
            settings.put("management.server.port", Integer.toString(managementPort));
            return new Pod(
                    OnceProcess.start(settings, "-Xmx256m", RecordedCalls.into(calls)),
                    URI.create("http://127.0.0.1:" + port),
                    URI.create("http://127.0.0.1:" + managementPort),
                    calls);
        }

        boolean hasCalled(String action, String resource) {
            return RecordedCalls.in(calls).contains(action + " " + resource);
        }
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(SERVICES.properties(CHARGES));
        settings.putAll(ORDERS.properties());
        settings.putAll(DATABASE.properties());
        settings.putAll(Operators.SETTINGS);
        settings.put("once.sagas.queue-prefix", ORDERS.prefix());
        settings.put("once.dead-letters.watch", "1s");
        settings.put("once.charges.max-attempts", "2");
        settings.put("once.charges.back-off", "1s");
        settings.put("once.charges.max-back-off", "2s");
        settings.put("once.claims.lease", "10s");
        settings.put("once.claims.max-hold", "30s");
        settings.put("once.core-banking.connect-timeout", "1s");
        settings.put("once.core-banking.read-timeout", "2s");
        settings.put("spring.datasource.hikari.maximum-pool-size", "10");
        return settings;
    }

    @BeforeAll
    static void everyRoleDoesAllThatItDoes(@TempDir Path folder) throws Exception {
        template = Template.checked(Template.SHIPPED, folder).resources();
        SERVICES.create(CHARGES);
        ORDERS.createIn(SERVICES.sqs());
        // One after another: five that start at once are slow enough to be refused for it.
        for (Role role : Role.values()) {
            Pod pod = Pod.start(role, folder.resolve(role + ".calls"));
            PODS.put(role, pod);
            pod.process().awaitStart();
        }

        chargesAreRaisedRecoveredAndFail();
        operatorsDoWhatThereIsToDo();
        ordersArePlacedAndCancelled();
        everyRelaySendsWhateverIsInTheOutbox();
        messagesFailThatOnlyComeBack();
        deadLettersAreWatched();

        PODS.values().forEach(pod -> pod.process().signal("TERM"));
        PODS.values().forEach(pod -> pod.process().terminate());
    }

    @AfterAll
    static void stop() {
        PODS.values().forEach(pod -> pod.process().close());
        HTTP.close();
    }

    private static Pod pod(Role role) {
        return Objects.requireNonNull(PODS.get(role));
    }

    private static Queue queue(String name) {
        return Queue.named(SERVICES.sqs(), name);
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(LONGEST).until(condition);
    }

    private static void untilCalled(Role role, String action, String resource) {
        until(role + " to call " + action + " " + resource, () -> pod(role).hasCalled(action, resource));
    }

    private static boolean is(ClaimState state, String chargeId) {
        return CLAIMS.find(new ChargeId(chargeId).claimKey())
                .map(ClaimRecord::state)
                .filter(state::equals)
                .isPresent();
    }

    private static void chargesAreRaisedRecoveredAndFail() throws Exception {
        Queue charges = queue(CHARGES.queue());
        String raised = Events.newChargeId();
        assertThat(send(
                                request(pod(Role.BILLING).api(), "/charges")
                                        .header("Idempotency-Key", "\"" + raised + "\""),
                                """
                                {"chargeId":"%s","accountId":"ACC-42","chargeType":"SMS_ALERT_FEE","amount":"19.90",\
                                "currency":"EUR","dueAt":"2026-03-01T00:00:00Z"}""".formatted(raised))
                        .statusCode())
                .isEqualTo(201);
        until(
                "billing to learn of the end",
                () -> send(request(pod(Role.BILLING).api(), "/charges/" + raised))
                        .body()
                        .contains("RECOVERED"));

        String twice = Events.newChargeId();
        SERVICES.bank().fault(twice, Fault.slow(Duration.ofSeconds(1)).times(1));
        charges.send(Events.chargeDue(twice));
        charges.send(Events.chargeDue(twice));

        // The one record that refuses a write without being there: DynamoDB then has no item to answer with.
        String vanished = Events.newChargeId();
        SERVICES.bank().fault(vanished, Fault.slow(Duration.ofSeconds(1)).times(1));
        charges.send(Events.chargeDue(vanished));
        until("the claim", () -> is(ClaimState.IN_PROGRESS, vanished));
        SERVICES.dynamoDb()
                .deleteItem(request -> request.tableName(CHARGES.table())
                        .key(Map.of(
                                "pk",
                                AttributeValue.fromS(
                                        new ChargeId(vanished).claimKey().toString()))));
        until("the charge to be claimed anew", () -> is(ClaimState.DONE, vanished));

        SERVICES.bank().fault(REFUSED, Fault.reject("ACCOUNT_CLOSED"));
        SERVICES.bank().fault(POSTPONED, Fault.unavailable(503).times(2));
        SERVICES.bank().fault(UNKNOWN, Fault.timeoutAfter().times(2));
        for (String chargeId : List.of(REFUSED, POSTPONED, UNKNOWN)) {
            charges.send(Events.chargeDue(chargeId));
        }
        charges.send("not json");
        until("all charges to end", () -> charges.size() == 0);
        queue(CHARGES.deadLetterQueue()).send(Events.chargeDue(twice));
        assertThat(Stream.of(raised, twice)).allMatch(chargeId -> is(ClaimState.DONE, chargeId));
        assertThat(Stream.of(REFUSED, POSTPONED, UNKNOWN)).allMatch(chargeId -> is(ClaimState.FAILED, chargeId));
    }

    private static void operatorsDoWhatThereIsToDo() {
        Pod console = pod(Role.CONSOLE);
        try (ConsoleSession session = new ConsoleSession(console.management()).as(Operators.OPERATOR)) {
            assertThat(session.get("/console").statusCode()).isEqualTo(200);
        }
        assertThat(operator("/claims/charge-recovery/" + UNKNOWN)
                        .path("claim")
                        .path("state")
                        .asText())
                .isEqualTo("FAILED");
        redriven("{\"why\":\"to see\"}");
        // What a watch looks at just then is hidden from the redrive.
        until("all letters to be redriven", () -> {
            redriven("{\"why\":\"the bank is back\",\"dryRun\":false}");
            return is(ClaimState.DONE, POSTPONED) && is(ClaimState.DONE, UNKNOWN);
        });
        assertThat(operate("/claims/charge-recovery/" + REFUSED + "/reopen", "{\"why\":\"it is open again\"}")
                        .statusCode())
                .isEqualTo(204);
        SERVICES.bank().fault(REFUSED, Fault.slow(Duration.ofMillis(1)));
        until("the reopened one to be redriven", () -> {
            redriven("{\"why\":\"it is open again\",\"dryRun\":false}");
            return is(ClaimState.DONE, REFUSED);
        });
        String corrected = Events.newChargeId();
        until("the unreadable one to be replaced", () -> replaced(Events.chargeDue(corrected)));
        until("the corrected one to be recovered", () -> is(ClaimState.DONE, corrected));
    }

    private static void redriven(String order) {
        HttpResponse<String> started = operate("/dead-letters/redrive", order);
        assertThat(started.statusCode()).as(started.body()).isEqualTo(202);
        String place = started.headers().firstValue("Location").orElseThrow();
        until(
                "the redrive to end",
                () -> operator(place).path("status").asText().equals("FINISHED"));
    }

    private static boolean replaced(String body) {
        JsonNode letter = operator("/dead-letters?reason=NOT_JSON").at("/reasons/0/letters/0");
        return !letter.isMissingNode()
                && operate(
                                        "/dead-letters/" + letter.path("id").asText() + "/replace",
                                        JSON.createObjectNode()
                                                .put("why", "corrected")
                                                .put("body", body)
                                                .toString())
                                .statusCode()
                        == 204;
    }

    private static void ordersArePlacedAndCancelled() {
        URI orders = pod(Role.ORDER_SAGA).api();
        for (String orderId : List.of("O-1", "O-2")) {
            assertThat(send(request(orders, "/orders"), """
                                    {"orderId":"%s","customerId":"C-42","amount":"19.90","currency":"EUR",\
                                    "items":[{"sku":"S-1","quantity":2}]}""".formatted(orderId)).statusCode())
                    .isEqualTo(201);
        }
        assertThat(send(request(orders, "/orders/O-2").DELETE()).statusCode()).isIn(202, 409);
        OrderAudit audit = new OrderAudit(DATABASE, queue(ORDERS.events()));
        until("both orders to end", () -> audit.sagas() == 2 && audit.live() == 0 && audit.unsent() == 0);
        assertThat(audit.ended("COMPLETED")).isPositive();
    }

    /** What each of them puts there, whichever relay comes first; so the others are paused meanwhile. Nobody can read it. */
    private static void everyRelaySendsWhateverIsInTheOutbox() {
        List<String> queues = new ArrayList<>(ORDERS.all());
        queues.add(CHARGES.queue());
        JdbcClient owner = JdbcClient.create(DATABASE.ownersDataSource());
        List<Role> relaying =
                Arrays.stream(Role.values()).filter(PoliciesIT::relays).toList();
        for (Role role : relaying) {
            List<OnceProcess> others = relaying.stream()
                    .filter(other -> other != role)
                    .map(other -> pod(other).process())
                    .toList();
            others.forEach(other -> other.signal("STOP"));
            queues.forEach(queue -> owner.sql("INSERT INTO outbox (event_id, queue, body) VALUES (?, ?, 'not json')")
                    .params(role + " " + queue, queue)
                    .update());
            queues.forEach(queue -> untilCalled(role, "sqs:SendMessage", queue));
            others.forEach(other -> other.signal("CONT"));
        }
    }

    private static boolean relays(Role role) {
        return role.routes().contains("relay-outbox");
    }

    private static void messagesFailThatOnlyComeBack() throws IOException {
        queue(name("charge-outcomes")).send("not json");
        untilCalled(Role.BILLING, "sqs:ChangeMessageVisibility", name("charge-outcomes"));

        SERVICES.postgres().away(DATABASE);
        queue(ORDERS.replies())
                .send(Files.readString(Path.of("src/test/resources/contract/saga-reply/valid/base.json")));
        untilCalled(Role.ORDER_SAGA, "sqs:ChangeMessageVisibility", ORDERS.replies());
        SERVICES.postgres().back(DATABASE);
    }

    private static void deadLettersAreWatched() {
        Map<Role, List<String>> watched = new EnumMap<>(Map.of(
                Role.CHARGE_RECOVERY, List.of(CHARGES.queue()),
                Role.BILLING, List.of(name("charge-outcomes")),
                Role.ORDER_SAGA, List.of(ORDERS.replies()),
                Role.ORDER_PARTICIPANTS,
                        Stream.of("payment", "stock", "shipping", "confirm")
                                .map(ORDERS::commands)
                                .toList(),
                Role.CONSOLE, List.of(CHARGES.queue())));
        watched.forEach((role, queues) -> queues.forEach(name -> {
            String deadLetters = OrderQueues.deadLetters(name);
            queue(deadLetters).send("not json");
            untilCalled(role, "sqs:ChangeMessageVisibility", deadLetters);
        }));
    }

    private static HttpRequest.Builder request(URI where, String path) {
        return HttpRequest.newBuilder(where.resolve(path)).timeout(LONGEST).header("Content-Type", "application/json");
    }

    private static HttpResponse<String> send(HttpRequest.Builder request, String body) {
        return send(request.POST(BodyPublishers.ofString(body)));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static HttpRequest.Builder asOperator(String path) {
        return request(pod(Role.CONSOLE).management(), path).header("Authorization", Operators.OPERATOR.basic());
    }

    private static HttpResponse<String> operate(String path, String body) {
        return send(asOperator(path), body);
    }

    private static JsonNode operator(String path) {
        HttpResponse<String> answer = send(asOperator(path));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        try {
            return JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** Written as what is called is. */
    private static Set<String> allowed(Role role) {
        Set<String> all = rights(Template.policy(role));
        if (relays(role)) {
            all.addAll(rights("OutboxRelayPolicy"));
        }
        return all;
    }

    private static Set<String> rights(String policy) {
        JsonNode statements = template.path(policy).at("/Properties/PolicyDocument/Statement");
        assertThat(statements).as(policy).isNotEmpty();
        Set<String> rights = new TreeSet<>();
        for (JsonNode statement : statements) {
            for (JsonNode action : statement.path("Action")) {
                for (JsonNode resource : statement.path("Resource")) {
                    rights.add(action.asText() + " " + nameOf(Template.resourceOf(resource)));
                }
            }
        }
        return rights;
    }

    private static String nameOf(String resource) {
        JsonNode properties = template.path(resource).path("Properties");
        JsonNode name = properties.path(properties.has("QueueName") ? "QueueName" : "TableName");
        return name.path("Fn::Sub").asText().replace("${Prefix}", ORDERS.prefix());
    }

    private static Set<String> without(Set<String> some, Set<String> others) {
        Set<String> rest = new TreeSet<>(some);
        rest.removeAll(others);
        return rest;
    }

    private static Set<String> called(Role role) {
        return RecordedCalls.in(pod(role).calls());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void noRightIsMissing(Role role) {
        assertThat(without(called(role), allowed(role)))
                .as("what %s calls and its policies don't allow", role)
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void noRightIsToSpare(Role role) {
        assertThat(without(allowed(role), called(role)))
                .as("what the policies of %s allow and it never calls", role)
                .isEmpty();
    }
}
