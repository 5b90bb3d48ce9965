package com.finedge.once.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.Operator;
import com.finedge.once.audit.OperatorAction;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.deadletter.RedriveBed.Kind;
import com.finedge.once.deadletter.RedriveBed.Sent;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.support.Events;
import com.finedge.once.support.Operators;
import com.finedge.once.support.RunningOnce;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The operators' API over HTTP, on the application with the roles of a console and of charge recovery. */
class DeadLettersApiIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final RedriveBed BED = new RedriveBed();
    private static final PostgresServer.Database DATABASE =
            RedriveBed.SERVICES.postgres().fresh();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @SuppressWarnings("NullAway.Init")
    private static RunningOnce once;

    @BeforeAll
    static void start() {
        Map<String, String> settings = new HashMap<>(RedriveBed.SERVICES.properties(BED.resources));
        settings.putAll(DATABASE.properties());
        settings.put("once.roles", "charge-recovery,console");
        settings.putAll(Operators.SETTINGS);
        once = RunningOnce.start(settings);
    }

    @AfterAll
    static void stop() {
        once.close();
        HTTP.close();
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static HttpRequest.Builder as(Operators who, String path) {
        return HttpRequest.newBuilder(once.managementUrl().resolve(path)).header("Authorization", who.basic());
    }

    private static HttpResponse<String> post(String path, String body) {
        return send(as(Operators.OPERATOR, path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    private static JsonNode json(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + answer.body(), e);
        }
    }

    private static JsonNode get(String path) {
        HttpResponse<String> answer = send(as(Operators.OPERATOR, path));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer);
    }

    private static JsonNode redriven(String order) {
        HttpResponse<String> answer = post("/dead-letters/redrive", order);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        String place = answer.headers().firstValue("Location").orElseThrow();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !get(place).path("status").asText().equals("RUNNING"));
        return get(place);
    }

    @Test
    void lettersAreListedByReasonWithTheirClaimsAndRedrivenByOrder() {
        Sent technical = BED.put(Kind.TECHNICAL);
        Sent conflict = BED.put(Kind.CONFLICT);
        String one = "/dead-letters?chargeId=" + technical.chargeId();

        JsonNode list = get("/dead-letters?size=500");
        assertThat(list.path("byReason").path("CONFLICT").asInt()).isPositive();
        assertThat(list.toString()).doesNotContain("ACC-42");
        JsonNode letter = get(one).at("/reasons/0/letters/0");
        assertThat(letter.path("key").asText()).isEqualTo(technical.chargeId());
        assertThat(letter.path("verdict").asText()).isEqualTo("REOPEN");
        assertThat(letter.at("/claim/state").asText()).isEqualTo("FAILED");
        assertThat(letter.at("/claim/attempts").asInt()).isEqualTo(1);
        assertThat(letter.at("/claim/first").asText()).isNotEmpty();

        String order = "{\"why\":\"the bank is back\",\"chargeId\":\"" + technical.chargeId() + "\"%s}";
        JsonNode dry = redriven(order.formatted(""));
        assertThat(dry.at("/order/dryRun").asBoolean()).isTrue();
        assertThat(dry.at("/verdicts/REOPEN").asInt()).isEqualTo(1);
        assertThat(get(one).at("/reasons/0/letters/0/verdict").asText()).isEqualTo("REOPEN");

        JsonNode done = redriven(order.formatted(",\"dryRun\":false"));
        assertThat(done.path("status").asText()).isEqualTo("FINISHED");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(get("/claims/charge-recovery/" + technical.chargeId())
                                .at("/claim/state")
                                .asText())
                        .isEqualTo("DONE"));
        JsonNode claim = get("/claims/charge-recovery/" + technical.chargeId());
        assertThat(claim.at("/bank/says").asText()).isEqualTo("HAPPENED");
        assertThat(claim.at("/claim/detail/reopenedBy").asText()).isEqualTo(Operators.OPERATOR.user());
        assertThat(claim.at("/actions/0/by/why").asText()).isEqualTo("the bank is back");
        assertThat(get(one).path("reasons")).isEmpty();
        assertThat(RedriveBed.debits(technical.chargeId())).isEqualTo(1);
        assertThat(get("/claims/charge-recovery/" + conflict.chargeId())
                        .at("/claim/state")
                        .asText())
                .isEqualTo("DONE");
    }

    @Test
    void oneClaimIsReopenedWithAReason() {
        String id = Events.newChargeId();
        String body = Events.chargeDue(id);
        BED.ended(body, ClaimState.FAILED, "INSUFFICIENT_FUNDS", Map.of("failure", "REJECTED"));
        String path = "/claims/charge-recovery/" + id + "/reopen";

        assertThat(post(path, "{}").statusCode()).isEqualTo(400);
        assertThat(post(path, "{\"why\":\"funds are there\"}").statusCode()).isEqualTo(204);
        assertThat(post(path, "{\"why\":\"funds are there\"}").statusCode()).isEqualTo(409);
        assertThat(post("/claims/charge-recovery/CHG-none/reopen", "{\"why\":\"x\"}")
                        .statusCode())
                .isEqualTo(404);
        JsonNode claim = get("/claims/charge-recovery/" + id);
        assertThat(claim.at("/claim/state").asText()).isEqualTo("IN_PROGRESS");
        assertThat(claim.at("/claim/detail/reopenedBecause").asText()).isEqualTo("funds are there");
        assertThat(claim.at("/actions/0/what").asText()).isEqualTo("reopen-claim");
        assertThat(get("/operator-actions?target=charge-recovery%23" + id)).hasSize(1);
    }

    @Test
    void whatIsNotUnderstoodIsRefusedAndNothingIsDone() {
        for (String body : List.of(
                "{}",
                "[]",
                "no json",
                "{\"why\":\"\"}",
                "{\"why\":\"two\\nlines\"}",
                "{\"why\":\"" + "x".repeat(257) + "\"}",
                "{\"why\":\"x\",\"dryrun\":false}",
                "{\"why\":\"x\",\"dryRun\":\"false\"}",
                "{\"why\":\"x\",\"dryRun\":null}",
                "{\"why\":\"x\",\"dryRun\":true,\"dryRun\":false}",
                "{\"why\":\"x\",\"rate\":0}",
                "{\"why\":\"x\",\"rate\":1001}",
                "{\"why\":\"x\",\"batch\":11}",
                "{\"why\":\"x\",\"maxInFlight\":101}",
                "{\"why\":\"x\",\"reasons\":[\"lower\"]}",
                "{\"why\":\"x\",\"chargeId\":\"#\"}",
                "{\"why\":\"x\",\"olderThan\":\"1h\"}",
                "{\"why\":\"x\",\"olderThan\":\"-PT1H\"}",
                "{\"why\":\"x\"} {}")) {
            HttpResponse<String> answer = post("/dead-letters/redrive", body);
            assertThat(answer.statusCode()).as(body).isEqualTo(400);
            assertThat(json(answer).path("type").asText()).as(body).isEqualTo("urn:once:problem:invalid-request");
        }
        for (String query : List.of("size=0", "page=x", "look=1001", "olderThan=1h", "reason=lower")) {
            assertThat(send(as(Operators.OPERATOR, "/dead-letters?" + query)).statusCode())
                    .as(query)
                    .isEqualTo(400);
        }
        assertThat(send(as(Operators.OPERATOR, "/dead-letters/redrives/none")).statusCode())
                .isEqualTo(404);
        assertThat(send(as(Operators.OPERATOR, "/dead-letters/redrive")).statusCode())
                .isEqualTo(405);
        assertThat(send(as(Operators.OPERATOR, "/claims/Not%20a%20scope/x")).statusCode())
                .isEqualTo(404);
        assertThat(post("/dead-letters/none/replace", "{\"why\":\"x\",\"body\":\"{}\"}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void nothingIsDoneInNobodysName() {
        HttpResponse<String> answer =
                send(HttpRequest.newBuilder(once.managementUrl().resolve("/dead-letters/redrive"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"why\":\"x\"}")));

        assertThat(answer.statusCode()).isEqualTo(401);
    }

    @Test
    void theAuditLogCanBeAddedToAndNothingElse() {
        AuditLog log = once.bean(AuditLog.class);
        Instant at = Instant.parse("2026-03-01T12:00:00Z");
        OperatorAction action = new OperatorAction(
                new Operator("kim", "because"), "reopen-claim", "charge-recovery#CHG-A", "ordered", at);
        log.record(action);

        assertThat(log.on("charge-recovery#CHG-A", 10)).containsExactly(action);
        assertThat(log.latest(500)).contains(action);
        JdbcClient application = JdbcClient.create(DATABASE.dataSource());
        for (String change : List.of(
                "UPDATE operator_action SET who = 'somebody else'",
                "DELETE FROM operator_action",
                "TRUNCATE operator_action")) {
            assertThatThrownBy(() -> application.sql(change).update())
                    .as(change)
                    .isInstanceOf(DataAccessException.class)
                    .hasStackTraceContaining("permission denied");
        }
    }

    /** Until it is told who may, production has no such paths: on its public port or anywhere else. */
    @Test
    void theApplicationByItselfOpensNothingOnItsPublicPort() {
        Map<String, String> settings = new HashMap<>(RedriveBed.SERVICES.properties(BED.resources));
        settings.putAll(DATABASE.properties());
        settings.put("once.roles", "console");
        RunningOnce closed = RunningOnce.start(settings);
        try {
            for (String path : List.of("/dead-letters", "/claims/charge-recovery/CHG-1", "/operator-actions")) {
                assertThat(send(HttpRequest.newBuilder(closed.url().resolve(path)))
                                .statusCode())
                        .as(path)
                        .isIn(401, 403, 404);
            }
        } finally {
            closed.close();
        }
    }
}
