package com.finedge.once.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.adapter.json.SagaCommandJson;
import com.finedge.once.adapter.json.SagaReplyJson;
import com.finedge.once.contract.SagaCommand;
import com.finedge.once.contract.SagaReply.Outcome;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.Operators;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** The order saga in the application, over HTTP and queues; the test answers for the participants. */
@TestInstance(Lifecycle.PER_CLASS)
class OrderSagaIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final Map<String, Object> DONE =
            Map.of("paymentId", "P-1", "reservationId", "R-1", "shipmentId", "S-1");

    private final OrderQueues queues = OrderQueues.unique().createIn(SERVICES.sqs());
    private final PostgresServer.Database database = SERVICES.postgres().fresh();
    private final JdbcClient owner = JdbcClient.create(database.ownersDataSource());
    private final HttpClient http = HttpClient.newHttpClient();
    private final RunningOnce once = RunningOnce.start(settings());
    private final Map<String, List<SagaCommand>> received = new HashMap<>();
    private final List<JsonNode> told = new ArrayList<>();

    private Map<String, String> settings(String... more) {
        LocalResources resources = SERVICES.fresh();
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.putAll(database.properties());
        settings.putAll(queues.properties());
        settings.put("once.roles", "order-saga");
        settings.put("once.sagas.queue-prefix", queues.prefix());
        settings.put("once.sagas.timer", "200ms");
        settings.putAll(Operators.SETTINGS);
        // Nothing listens there: this role must do without.
        settings.put("once.aws.dynamodb-endpoint", "http://127.0.0.1:1");
        settings.put("once.core-banking.url", "http://127.0.0.1:1");
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    @AfterAll
    void stop() {
        once.close();
        http.close();
    }

    private HttpResponse<String> call(String method, URI url, @Nullable String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(LONGEST)
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> orders(String method, String path, @Nullable String body, String... headers) {
        return call(method, URI.create(once.url() + "/orders" + path), body, headers);
    }

    private HttpResponse<String> operate(String path, @Nullable String body) {
        URI url = URI.create(once.managementUrl() + "/actuator" + path);
        return call(body == null ? "GET" : "POST", url, body, "Authorization", Operators.OPERATOR.basic());
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + text, e);
        }
    }

    private static String newOrder() {
        return "O-" + UUID.randomUUID();
    }

    private static String order(@Nullable String orderId) {
        return order(orderId, "19.90", "[{\"sku\":\"S-1\",\"quantity\":2}]");
    }

    private static String order(@Nullable String orderId, String amount, String items) {
        return "{%s\"customerId\":\"C-1\",\"amount\":\"%s\",\"currency\":\"EUR\",\"items\":%s}"
                .formatted(orderId == null ? "" : "\"orderId\":\"" + orderId + "\",", amount, items);
    }

    private String place() {
        String orderId = newOrder();
        assertThat(orders("POST", "", order(orderId)).statusCode()).isEqualTo(201);
        return orderId;
    }

    /** The next command about the order that its participant gets; those about others are kept for them. */
    private SagaCommand command(String orderId, String step) {
        Queue queue = Queue.named(SERVICES.sqs(), queues.commands(step));
        return await("a command of " + step + " about " + orderId)
                .atMost(LONGEST)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> {
                            queue.drain().forEach(message -> {
                                SagaCommand command = new SagaCommandJson().read(message.body());
                                received.computeIfAbsent(command.businessKey() + step, key -> new ArrayList<>())
                                        .add(command);
                            });
                            List<SagaCommand> own = received.getOrDefault(orderId + step, List.of());
                            return own.isEmpty() ? null : own.removeFirst();
                        },
                        command -> command != null);
    }

    private static String answer(SagaCommand command, Outcome outcome) {
        return new SagaReplyJson()
                .write(command.answered(
                        UUID.randomUUID().toString(), "Answered.v1", "participant", Instant.now(), outcome, DONE));
    }

    private Queue sagaQueue() {
        return Queue.named(SERVICES.sqs(), queues.replies());
    }

    private void done(String orderId, String step) {
        sagaQueue().send(answer(command(orderId, step), Outcome.SUCCEEDED));
    }

    private JsonNode found(String orderId) {
        HttpResponse<String> response = orders("GET", "/" + orderId, null);
        assertThat(response.statusCode()).isEqualTo(200);
        return json(response.body());
    }

    private void awaitState(String orderId, String state) {
        await(orderId).atMost(LONGEST).until(() -> found(orderId).path("state").asText(), state::equals);
    }

    private List<String> told(String orderId) {
        Queue.named(SERVICES.sqs(), queues.events()).drain().forEach(message -> told.add(json(message.body())));
        return told.stream()
                .filter(fact -> fact.path("businessKey").asText().equals(orderId))
                .map(fact -> fact.path("type").asText())
                .toList();
    }

    @Test
    void anOrderGoesItsWay() {
        String orderId = place();
        SagaCommand payment = command(orderId, "payment");
        assertThat(payment.type()).isEqualTo("TakePayment.v1");
        assertThat(payment.replyTo()).isEqualTo(queues.replies());
        assertThat(payment.notAfter()).isPresent();
        assertThat(payment.data())
                .isEqualTo(Map.of("orderId", orderId, "customerId", "C-1", "amount", "19.90", "currency", "EUR"));
        String answer = answer(payment, Outcome.SUCCEEDED);
        sagaQueue().send(answer);
        sagaQueue().send(answer);
        assertThat(command(orderId, "stock").data().get("items"))
                .isEqualTo(List.of(Map.of("sku", "S-1", "quantity", 2L)));
        awaitState(orderId, "STOCK_PENDING");
        sagaQueue().send(answer(payment, Outcome.SUCCEEDED));
        // The command was taken off its queue above: the timer would bring it again, as an operator does here.
        operate(
                "/sagas/" + found(orderId).path("sagaId").asText() + "/retry-now",
                "{\"by\":\"alice\",\"reason\":\"test\"}");
        done(orderId, "stock");
        done(orderId, "shipping");
        done(orderId, "confirm");

        awaitState(orderId, "COMPLETED");
        JsonNode order = found(orderId);
        assertThat(order.path("outcome").asText()).isEqualTo("COMPLETED");
        assertThat(order.path("steps"))
                .hasSize(4)
                .allSatisfy(step -> assertThat(step.path("action").asText()).isEqualTo("SUCCEEDED"));
        assertThat(order.path("history").findValuesAsText("state"))
                .startsWith("PAYMENT_PENDING", "STOCK_PENDING")
                .endsWith("CONFIRM_PENDING", "COMPLETED");
        await().atMost(LONGEST)
                .untilAsserted(() ->
                        assertThat(told(orderId)).containsExactlyInAnyOrder("OrderPlaced.v1", "OrderCompleted.v1"));
    }

    @Test
    void aRefusedOrderIsCancelledWithWhatWasDoneUndone() {
        String orderId = place();
        done(orderId, "payment");
        sagaQueue().send(answer(command(orderId, "stock"), Outcome.REFUSED));
        SagaCommand refund = command(orderId, "payment");
        assertThat(refund.type()).isEqualTo("RefundPayment.v1");
        assertThat(refund.notAfter()).as("an undo is never given up").isEmpty();
        sagaQueue().send(answer(refund, Outcome.SUCCEEDED));

        awaitState(orderId, "CANCELLED");
        await().atMost(LONGEST)
                .untilAsserted(() ->
                        assertThat(told(orderId)).containsExactlyInAnyOrder("OrderPlaced.v1", "OrderCancelled.v1"));
    }

    @Test
    void anOrderThatIsPlacedAgainIsTheSameOrder() {
        String orderId = place();
        command(orderId, "payment");

        HttpResponse<String> again = orders("POST", "", order(orderId));

        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(again.headers().firstValue("Location")).contains("/orders/" + orderId);
        assertThat(orders("POST", "", order(orderId, "20.00", "[{\"sku\":\"S-1\",\"quantity\":2}]"))
                        .statusCode())
                .isEqualTo(409);
        assertThat(owner.sql("SELECT count(*) FROM outbox WHERE body LIKE ? AND body LIKE '%OrderPlaced%'")
                        .param("%" + orderId + "%")
                        .query(Integer.class)
                        .single())
                .as("one to its saga and one to everyone")
                .isEqualTo(2);
    }

    @Test
    void aKeyNamesAnOrderThatHasNoIdOfItsOwn() {
        String key = UUID.randomUUID().toString();

        String first = json(orders("POST", "", order(null), "Idempotency-Key", key)
                        .body())
                .path("orderId")
                .asText();
        String second = json(orders("POST", "", order(null), "Idempotency-Key", key)
                        .body())
                .path("orderId")
                .asText();

        assertThat(second).isEqualTo(first).startsWith("ORD-");
        assertThat(orders("POST", "", order(null, "1.00", "[{\"sku\":\"S-1\",\"quantity\":2}]"), "Idempotency-Key", key)
                        .statusCode())
                .isEqualTo(409);
    }

    private void refused(String body, String field) {
        HttpResponse<String> response = orders("POST", "", body);
        assertThat(response.statusCode()).as(body).isEqualTo(400);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(json(response.body()).path("field").asText()).as(body).isEqualTo(field);
    }

    @Test
    void whatIsNoOrderIsRefused() {
        refused(order(newOrder(), "19.90", "[]"), "items");
        refused(order(newOrder(), "-19.90", "[{\"sku\":\"S-1\",\"quantity\":2}]"), "amount");
        refused(order(newOrder(), "0.00", "[{\"sku\":\"S-1\",\"quantity\":2}]"), "amount");
        refused(order(newOrder(), "19.90", "[{\"sku\":\"S-1\",\"quantity\":0}]"), "quantity");
        refused(
                order(newOrder(), "19.90", "[{\"sku\":\"S-1\",\"quantity\":1},{\"sku\":\"S-1\",\"quantity\":1}]"),
                "items");
        refused(order(null), "orderId");
        refused(order("white space"), "orderId");
        refused("{\"customerId\":\"C-1\"}", "items");
        assertThat(orders("POST", "", "no JSON").statusCode()).isEqualTo(400);
        assertThat(orders("GET", "/" + newOrder(), null).statusCode()).isEqualTo(404);
        assertThat(orders("DELETE", "/" + newOrder(), null).statusCode()).isEqualTo(404);
        assertThat(orders("PUT", "/" + newOrder(), "{}").statusCode()).isEqualTo(405);
    }

    @Test
    void anOrderIsCancelledOnRequest() {
        String orderId = place();
        command(orderId, "payment");

        assertThat(orders("DELETE", "/" + orderId, null).statusCode()).isEqualTo(202);
        assertThat(orders("DELETE", "/" + orderId, null).statusCode()).isEqualTo(202);
        sagaQueue().send(answer(command(orderId, "payment"), Outcome.SUCCEEDED));

        awaitState(orderId, "CANCELLED");
        assertThat(found(orderId).path("cancelRequested").asBoolean()).isTrue();
        assertThat(orders("DELETE", "/" + orderId, null).statusCode()).isEqualTo(202);
    }

    @Test
    void anOrderThatIsShippedCanNotBeCancelled() {
        String orderId = place();
        for (String step : List.of("payment", "stock", "shipping")) {
            done(orderId, step);
        }
        awaitState(orderId, "CONFIRM_PENDING");

        HttpResponse<String> response = orders("DELETE", "/" + orderId, null);

        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(json(response.body()).path("type").asText()).isEqualTo("urn:once:problem:order-cannot-be-cancelled");
    }

    @Test
    void anAnswerThatCanNotBeReadParksItsSagaAndGoesToTheDeadLetters() {
        String orderId = place();
        command(orderId, "payment");
        awaitState(orderId, "PAYMENT_PENDING");
        String sagaId = found(orderId).path("sagaId").asText();

        sagaQueue().send("{\"type\":\"PaymentTaken.v1\",\"of\":\"" + orderId + "\"}", Map.of("sagaId", sagaId));

        Message copy = deadLetter(orderId);
        assertThat(copy.body()).isEqualTo("{\"type\":\"PaymentTaken.v1\",\"of\":\"" + orderId + "\"}");
        assertThat(code(copy)).isEqualTo("MISSING_FIELD");
        assertThat(Queue.attribute(copy, "businessKey")).isEqualTo(orderId);
        JsonNode saga = json(operate("/sagas/" + sagaId, null).body()).path("saga");
        assertThat(saga.path("parked").asBoolean()).isTrue();
        assertThat(saga.path("attention").asText()).isEqualTo("UNREADABLE_REPLY");
        assertThat(json(operate("/sagas", null).body()).findValuesAsText("businessKey"))
                .contains(orderId);

        HttpResponse<String> released =
                operate("/sagas/" + sagaId + "/unpark", "{\"by\":\"alice\",\"reason\":\"the answer was mended\"}");
        assertThat(json(released.body()).path("disposition").asText()).isEqualTo("APPLIED");
        wakeNow(sagaId);
        SagaCommand again = command(orderId, "payment");
        assertThat(again.attempt()).isEqualTo(2);
        sagaQueue().send(answer(again, Outcome.SUCCEEDED));
        awaitState(orderId, "STOCK_PENDING");
    }

    private Message deadLetter(String part) {
        Queue deadLetters = Queue.named(SERVICES.sqs(), OrderQueues.deadLetters(queues.replies()));
        List<Message> all = new ArrayList<>();
        await().atMost(LONGEST).until(() -> {
            all.addAll(deadLetters.drain());
            return all.stream().anyMatch(message -> message.body().contains(part));
        });
        return all.stream()
                .filter(message -> message.body().contains(part))
                .findFirst()
                .orElseThrow();
    }

    private static String code(Message deadLetter) {
        MessageAttributeValue code = deadLetter.messageAttributes().get("code");
        return code == null ? "" : code.stringValue();
    }

    /** As if the attempt's two minutes had gone by. */
    private void wakeNow(String sagaId) {
        await().atMost(LONGEST)
                .until(() -> owner.sql("SELECT count(*) FROM outbox WHERE state <> 'SENT'")
                                .query(Integer.class)
                                .single()
                        == 0);
        owner.sql("UPDATE outbox SET sent_at = sent_at - interval '1 hour'").update();
        owner.sql("UPDATE saga_instance SET wake_at = now() WHERE saga_id = ? AND wake_at IS NOT NULL")
                .param(UUID.fromString(sagaId))
                .update();
    }

    @Test
    void aCommandThatIsNotAnsweredIsSentAgain() {
        String orderId = place();
        SagaCommand first = command(orderId, "payment");
        awaitState(orderId, "PAYMENT_PENDING");

        wakeNow(first.sagaId().toString());

        SagaCommand second = command(orderId, "payment");
        assertThat(second.commandId()).isEqualTo(first.commandId());
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(second.attempt()).isEqualTo(2);
    }

    @Test
    void whatIsForNoSagaGoesToTheDeadLetters() {
        String mark = UUID.randomUUID().toString();

        sagaQueue().send("no JSON " + mark);

        assertThat(code(deadLetter(mark))).isEqualTo("NOT_JSON");
    }

    @Test
    void anAnswerToASagaThatIsNotHereIsKeptAndCounted() {
        String orderId = place();
        SagaCommand command = command(orderId, "payment");
        UUID stranger = UUID.randomUUID();
        double before = orphans();

        sagaQueue()
                .send(answer(command, Outcome.SUCCEEDED)
                        .replace(command.sagaId().toString(), stranger.toString()));

        await().atMost(LONGEST).until(() -> orphans() == before + 1);
        assertThat(owner.sql("SELECT count(*) FROM saga_orphan WHERE saga_id = ?")
                        .param(stranger)
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
    }

    private double orphans() {
        return once.bean(MeterRegistry.class).counter(MeterNames.SAGA_ORPHANS).count();
    }

    @Test
    void operatorsAreHeldToTheVerbs() {
        String orderId = place();
        command(orderId, "payment");
        awaitState(orderId, "PAYMENT_PENDING");
        String saga = "/sagas/" + found(orderId).path("sagaId").asText();
        String who = "{\"reason\":\"test\"";

        assertThat(operate(saga + "/set-state", who + "}").statusCode()).isEqualTo(400);
        assertThat(operate(saga + "/mark-undone", who + ",\"step\":\"payment\"}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(operate(saga + "/mark-undone", who + ",\"step\":\"payment\",\"evidence\":\"T-1\"}")
                        .statusCode())
                .as("nothing is being undone")
                .isEqualTo(409);
        assertThat(operate(saga + "/park", "{}").statusCode()).isEqualTo(400);
        assertThat(operate(saga + "/park", "{\"reason\":\" \"}").statusCode()).isEqualTo(400);
        assertThat(operate("/sagas/" + UUID.randomUUID() + "/park", who + "}").statusCode())
                .isEqualTo(404);
        assertThat(operate("/sagas/none/park", who + "}").statusCode()).isEqualTo(404);
        assertThat(operate(saga + "/compensate", who + "}").statusCode()).isEqualTo(200);
        assertThat(operate(saga + "/mark-undone", who + ",\"step\":\"payment\",\"evidence\":\"T-1\"}")
                        .statusCode())
                .isEqualTo(200);

        assertThat(found(orderId).path("state").asText()).isEqualTo("CANCELLED");
        assertThat(json(operate(saga, null).body()).path("history").findValuesAsText("note"))
                .contains("compensate by operator: test", "mark-undone of payment (T-1) by operator: test");
    }

    @Test
    void sagasAreCounted() {
        place();
        MeterRegistry meters = once.bean(MeterRegistry.class);

        await().atMost(LONGEST).untilAsserted(() -> {
            once.bean(Sagas.class).count();
            assertThat(meters.get(MeterNames.SAGA_LIVE)
                            .tags("saga", "order-fulfilment", "state", "PAYMENT_PENDING")
                            .gauge()
                            .value())
                    .isPositive();
        });
        assertThat(meters.get(MeterNames.SAGA_TRANSITIONS)
                        .tags("saga", "order-fulfilment", "disposition", "applied")
                        .counter()
                        .count())
                .isPositive();
        assertThat(meters.get(MeterNames.SAGA_ATTENTION)
                        .tag("reason", "contradiction")
                        .gauge()
                        .value())
                .isZero();
    }

    @Test
    void operatorsVerbsAreNotOpenByDefault() {
        URI management = URI.create(once.managementUrl() + "/actuator");
        String saga = management + "/sagas/" + UUID.randomUUID() + "/park";
        String viewer = Operators.VIEWER.basic();

        assertThat(call("GET", URI.create(management + "/health/readiness"), null)
                        .statusCode())
                .isEqualTo(200);
        assertThat(call("GET", URI.create(management + "/sagas"), null).statusCode())
                .isEqualTo(401);
        assertThat(call("POST", URI.create(saga), "{\"reason\":\"test\"}").statusCode())
                .isEqualTo(401);
        assertThat(call("GET", URI.create(management + "/sagas"), null, "Authorization", viewer)
                        .statusCode())
                .isEqualTo(200);
        assertThat(call("POST", URI.create(saga), "{\"reason\":\"test\"}", "Authorization", viewer)
                        .statusCode())
                .isEqualTo(403);
        assertThat(call("GET", URI.create(once.url() + "/sagas"), null).statusCode())
                .isEqualTo(404);
    }

    @Test
    void aSagaOfAnUnknownVersionIsReportedByHealth() {
        PostgresServer.Database fresh = SERVICES.postgres().fresh().migrated();
        JdbcClient freshOwner = JdbcClient.create(fresh.ownersDataSource());
        freshOwner
                .sql("INSERT INTO saga_definition VALUES ('order-fulfilment', 9, repeat('0', 64))")
                .update();
        freshOwner.sql("""
                        INSERT INTO saga_instance (saga_id, saga_type, definition_version, business_key, phase, state,
                            current_step, version, data, wake_at)
                        VALUES (gen_random_uuid(), 'order-fulfilment', 9, 'O-1', 'FORWARD', 'NEW', 'new', 1, '{}', now())""").update();
        Map<String, String> settings = settings();
        settings.putAll(fresh.properties());
        try (RunningOnce other = RunningOnce.start(settings)) {
            URI url = URI.create(other.managementUrl() + "/actuator/health");

            HttpResponse<String> health = call("GET", url, null, "Authorization", Operators.VIEWER.basic());

            assertThat(health.statusCode()).isEqualTo(503);
            JsonNode definitions = json(health.body()).path("components").path("sagaDefinitions");
            assertThat(definitions.path("status").asText()).isEqualTo("DOWN");
            assertThat(definitions.path("details").toString()).contains("order-fulfilment version 9");
            assertThat(call("GET", URI.create(url + "/readiness"), null).statusCode())
                    .as("it is ready for all others")
                    .isEqualTo(200);
        }
    }

    @Test
    void aPublishedVersionWithOtherContentIsRefused() {
        PostgresServer.Database fresh = SERVICES.postgres().fresh().migrated();
        JdbcClient.create(fresh.ownersDataSource())
                .sql("INSERT INTO saga_definition VALUES ('order-fulfilment', 1, repeat('0', 64))")
                .update();
        Map<String, String> settings = settings();
        settings.putAll(fresh.properties());

        assertThatThrownBy(() -> RunningOnce.start(settings).close())
                .hasStackTraceContaining(
                        "order-fulfilment.v1.yaml: version 1 of order-fulfilment was published with other");
    }

    @Test
    void aQueueThatADefinitionNamesAndThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> RunningOnce.start(settings("once.sagas.queue-prefix", "nowhere-"))
                        .close())
                .hasStackTraceContaining("there is no queue nowhere-order-saga-dlq (once.sagas.dead-letter-queue)");
    }

    @Test
    void anotherQueueForAnswersIsRefused() {
        assertThatThrownBy(() -> RunningOnce.start(settings("once.sagas.queue", "order-commands"))
                        .close())
                .hasStackTraceContaining("order-fulfilment.v1.yaml: replyTo must be order-commands (once.sagas.queue)");
    }
}
