package com.finedge.once;

import static com.finedge.once.support.TraceCollector.attribute;
import static com.finedge.once.support.TraceCollector.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.finedge.once.billing.BilledCharge;
import com.finedge.once.billing.Billing;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.order.Orders;
import com.finedge.once.saga.Phase;
import com.finedge.once.support.Events;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import com.finedge.once.support.TraceCollector;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a collector is told of a charge's way through every queue and both roles. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TraceIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String ACCOUNT = "ACC-4711";
    private static final String EXPORTER = "BatchSpanProcessor";

    private final TraceCollector collector = TraceCollector.start();
    private final WireMockServer bank =
            new WireMockServer(WireMockConfiguration.options().dynamicPort().bindAddress("127.0.0.1"));
    private final LocalResources resources = resources();
    private final String queue = resources.queue();
    private final String outcomes = String.valueOf(resources.outcomesQueue());
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, String> traced = Map.of(
            "management.otlp.tracing.endpoint", collector.endpoint(),
            "management.tracing.sampling.probability", "1",
            "management.tracing.opentelemetry.export.schedule-delay", "100ms");
    private final RunningOnce once = start(resources, traced);

    private static LocalResources resources() {
        return SERVICES.create(LocalResources.unique()
                .withOutcomesQueue("charge-outcomes-" + Events.newChargeId())
                .withMaxReceiveCount(22));
    }

    private RunningOnce start(LocalResources resources, Map<String, String> more) {
        bank.start();
        bank.stubFor(WireMock.post("/debits").willReturn(WireMock.okJson("{\"reference\":\"DEB-1\"}")));
        // An answer that quotes what it was asked.
        bank.stubFor(
                WireMock.post("/notifications").willReturn(WireMock.badRequest().withBody("no such " + ACCOUNT)));
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.putAll(SERVICES.postgres().fresh().properties());
        settings.put("once.roles", "charge-recovery,billing");
        settings.put("once.core-banking.url", bank.baseUrl());
        settings.put("once.notifications.url", bank.baseUrl());
        settings.put("once.charges.back-off", "1s");
        settings.putAll(more);
        return RunningOnce.start(settings);
    }

    @AfterAll
    void stop() {
        once.close();
        collector.close();
        bank.stop();
        http.close();
    }

    private static String random(int bytes) {
        byte[] id = new byte[bytes];
        ThreadLocalRandom.current().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    private void raise(RunningOnce to, String chargeId, String... headers) throws IOException, InterruptedException {
        post(
                to,
                "/charges",
                """
                {"chargeId":"%s","accountId":"%s","chargeType":"SMS_ALERT_FEE","amount":"19.90","currency":"EUR",\
                "dueAt":"2026-03-01T00:00:00Z"}""".formatted(chargeId, ACCOUNT),
                Stream.concat(Stream.of("Idempotency-Key", "\"" + chargeId + "\""), Stream.of(headers))
                        .toArray(String[]::new));
    }

    private void post(RunningOnce to, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(to.url() + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        assertThat(http.send(request.headers(headers).build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(201);
    }

    private static void untilSettled(RunningOnce at, String chargeId) {
        await().atMost(LONGEST)
                .until(() -> at.bean(Billing.class)
                        .find(chargeId)
                        .map(BilledCharge::settlement)
                        .isPresent());
    }

    private List<LoggedRequest> calls(String path, String chargeId) {
        return bank.findAll(WireMock.postRequestedFor(WireMock.urlEqualTo(path))
                .withRequestBody(WireMock.containing("\"" + chargeId + "\"")));
    }

    private List<Span> trace(String traceId, int spans) {
        return await().atMost(LONGEST).until(() -> collector.spans(traceId), found -> found.size() >= spans);
    }

    private static List<Span> named(List<Span> trace, String name) {
        return trace.stream()
                .filter(span -> span.getName().equals(name))
                .sorted((one, other) -> Long.compare(one.getStartTimeUnixNano(), other.getStartTimeUnixNano()))
                .toList();
    }

    private static Span only(List<Span> trace, String name, SpanKind kind) {
        assertThat(named(trace, name)).as(name).hasSize(1);
        assertThat(named(trace, name).get(0).getKind()).as(name).isEqualTo(kind);
        return named(trace, name).get(0);
    }

    private static void assertParent(Span child, Span parent) {
        assertThat(hex(child.getParentSpanId()))
                .as("the parent of " + child.getName())
                .isEqualTo(hex(parent.getSpanId()));
    }

    private void refuseTheFirstDebit(String chargeId) {
        String calledAgain = "called again";
        bank.stubFor(WireMock.post("/debits")
                .withRequestBody(WireMock.containing("\"" + chargeId + "\""))
                .inScenario(chargeId)
                .whenScenarioStateIs(Scenario.STARTED)
                .willSetStateTo(calledAgain)
                .willReturn(WireMock.serviceUnavailable()));
    }

    @Test
    void oneTraceLeadsFromTheRequestToTheOutcomeEventAcrossARedelivery() throws Exception {
        String chargeId = Events.newChargeId();
        String traceId = random(16);
        String client = random(8);
        refuseTheFirstDebit(chargeId);

        raise(once, chargeId, "traceparent", "00-" + traceId + "-" + client + "-01");
        untilSettled(once, chargeId);

        List<Span> trace = trace(traceId, 13);
        assertThat(trace)
                .extracting(Span::getName)
                .containsExactlyInAnyOrder(
                        "POST /charges",
                        "send " + queue,
                        "process " + queue,
                        "claim",
                        "POST /debits",
                        "release claim",
                        "process " + queue,
                        "claim",
                        "POST /debits",
                        "POST /notifications",
                        "send " + outcomes,
                        "finish claim",
                        "process " + outcomes);
        Span request = only(trace, "POST /charges", SpanKind.SPAN_KIND_SERVER);
        assertThat(hex(request.getParentSpanId())).isEqualTo(client);
        assertThat(attribute(request, "http.response.status_code")).isEqualTo("201");
        Span sent = only(trace, "send " + queue, SpanKind.SPAN_KIND_PRODUCER);
        assertParent(sent, request);
        List<Span> deliveries = named(trace, "process " + queue);
        assertThat(deliveries).allSatisfy(delivery -> {
            assertParent(delivery, sent);
            assertThat(delivery.getKind()).isEqualTo(SpanKind.SPAN_KIND_CONSUMER);
            assertThat(attribute(delivery, "once.charge.id")).isEqualTo(chargeId);
            assertThat(attribute(delivery, "messaging.system")).isEqualTo("aws_sqs");
            assertThat(attribute(delivery, "messaging.message.id")).isEqualTo(attribute(sent, "messaging.message.id"));
        });
        assertThat(deliveries)
                .extracting(
                        delivery -> attribute(delivery, "once.message.receives"),
                        delivery -> attribute(delivery, "once.attempt.status"))
                .containsExactly(tuple("1", "POSTPONED"), tuple("2", "RECOVERED"));
        List<Span> debits = named(trace, "POST /debits");
        for (int i = 0; i < 2; i++) {
            assertParent(named(trace, "claim").get(i), deliveries.get(i));
            assertParent(debits.get(i), deliveries.get(i));
        }
        Span outcome = only(trace, "send " + outcomes, SpanKind.SPAN_KIND_PRODUCER);
        assertParent(outcome, deliveries.get(1));
        assertParent(only(trace, "process " + outcomes, SpanKind.SPAN_KIND_CONSUMER), outcome);

        assertThat(calls("/debits", chargeId))
                .extracting(call -> call.getHeader("traceparent"))
                .containsExactlyInAnyOrderElementsOf(debits.stream()
                        .map(debit -> "00-" + traceId + "-" + hex(debit.getSpanId()) + "-01")
                        .toList());
        assertThat(collector.text()).contains(chargeId).doesNotContain(ACCOUNT, "19.90", "EUR");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-{\"message\":\"forged\"}"
            })
    void aTraceparentThatIsNoneBeginsANewTrace(String traceparent) throws Exception {
        String requested = Events.newChargeId();
        raise(once, requested, "traceparent", traceparent);
        String sent = Events.newChargeId();
        Queue.named(SERVICES.sqs(), queue)
                .send(Events.chargeDue(sent), traceparent.isEmpty() ? Map.of() : Map.of("traceparent", traceparent));

        for (String chargeId : List.of(requested, sent)) {
            await().atMost(LONGEST)
                    .until(() -> !calls("/notifications", chargeId).isEmpty());
            assertThat(calls("/debits", chargeId))
                    .singleElement()
                    .satisfies(debit -> assertThat(debit.getHeader("traceparent"))
                            .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01")
                            .doesNotContainIgnoringCase("0af7651916cd43dd8448eb211c80319c"));
        }
        assertThat(collector.text()).doesNotContain("forged");
    }

    @Test
    void nothingElseOfAContextIsLetIn() throws Exception {
        String chargeId = Events.newChargeId();

        raise(
                once,
                chargeId,
                "traceparent",
                "00-" + random(16) + "-" + random(8) + "-01",
                "tracestate",
                "vendor=1",
                "baggage",
                "account=" + ACCOUNT,
                "b3",
                random(16) + "-" + random(8) + "-1");
        untilSettled(once, chargeId);

        assertThat(calls("/debits", chargeId))
                .singleElement()
                .satisfies(debit -> assertThat(debit.getHeaders().keys())
                        .contains("traceparent")
                        .doesNotContain("tracestate", "baggage", "b3"));
        assertThat(collector.spans()).allMatch(span -> span.getTraceState().isEmpty());
    }

    @Test
    void aTraceThatItsSenderDoesNotSampleIsPassedOnAndNotExported() throws Exception {
        String chargeId = Events.newChargeId();
        String unsampled = random(16);
        raise(once, chargeId, "traceparent", "00-" + unsampled + "-" + random(8) + "-00");
        untilSettled(once, chargeId);
        String sampled = random(16);
        String after = Events.newChargeId();
        raise(once, after, "traceparent", "00-" + sampled + "-" + random(8) + "-01");
        untilSettled(once, after);

        trace(sampled, 9);
        assertThat(collector.spans(unsampled)).isEmpty();
        assertThat(calls("/debits", chargeId))
                .singleElement()
                .satisfies(debit ->
                        assertThat(debit.getHeader("traceparent")).matches("00-" + unsampled + "-[0-9a-f]{16}-00"));
    }

    /** Probes and Prometheus come all the time, and nobody asks what a probe has led to. */
    @Test
    void theManagementPortIsNotTraced() throws Exception {
        URI probe = URI.create(once.managementUrl() + "/actuator/health/liveness");
        assertThat(http.send(HttpRequest.newBuilder(probe).build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);
        String traceId = random(16);
        raise(once, Events.newChargeId(), "traceparent", "00-" + traceId + "-" + random(8) + "-01");

        trace(traceId, 1);
        assertThat(collector.spans()).extracting(Span::getName).noneMatch(name -> name.contains("actuator"));
    }

    @Test
    void anOrderIsOneTraceThroughItsSagaAndAllParticipants() throws Exception {
        OrderQueues queues = OrderQueues.unique().createIn(SERVICES.sqs());
        Map<String, String> settings = new HashMap<>(traced);
        settings.putAll(queues.properties());
        settings.put("once.roles", "order-saga,order-participants");
        settings.put("once.sagas.queue-prefix", queues.prefix());
        String orderId = "O-" + Events.newChargeId();
        String traceId = random(16);
        String client = random(8);

        try (RunningOnce orders = start(resources(), settings)) {
            post(orders, "/orders", """
                    {"orderId":"%s","customerId":"C-1","amount":"19.90","currency":"EUR",\
                    "items":[{"sku":"S-1","quantity":2}]}""".formatted(orderId), "traceparent", "00-" + traceId + "-" + client + "-01");
            await().atMost(LONGEST)
                    .until(() -> orders.bean(Orders.class)
                            .saga(orderId)
                            .map(dossier -> dossier.saga().phase())
                            .equals(Optional.of(Phase.ENDED)));
        }

        // What was still to be exported has been exported by the stop.
        List<Span> trace = collector.spans(traceId);
        Set<String> ids = trace.stream().map(span -> hex(span.getSpanId())).collect(Collectors.toSet());
        assertThat(trace)
                .extracting(span -> hex(span.getParentSpanId()))
                .filteredOn(parent -> !ids.contains(parent))
                .containsExactly(client);
        // Four steps, each a command and its answer.
        String ofTheSaga = attribute(
                trace.stream()
                        .filter(span -> !attribute(span, "once.saga.id").isEmpty())
                        .findFirst()
                        .orElseThrow(),
                "once.saga.id");
        assertThat(collector.spans())
                .filteredOn(span -> attribute(span, "once.saga.id").equals(ofTheSaga))
                .hasSize(8)
                .allMatch(span -> hex(span.getTraceId()).equals(traceId));
    }

    @Test
    void withoutACollectorNothingIsTraced() throws Exception {
        String chargeId = Events.newChargeId();
        String traceId = random(16);
        Set<Thread> before = exporters();
        assertThat(before).as("the exporter of the other process").hasSize(1);

        try (RunningOnce untraced = start(resources(), Map.of())) {
            assertThat(exporters()).isEqualTo(before);
            raise(untraced, chargeId, "traceparent", "00-" + traceId + "-" + random(8) + "-01");
            untilSettled(untraced, chargeId);
        }
        assertThat(calls("/debits", chargeId))
                .singleElement()
                .satisfies(debit -> assertThat(debit.getHeaders().keys()).doesNotContain("traceparent"));
        assertThat(collector.spans(traceId)).isEmpty();
    }

    private static Set<Thread> exporters() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains(EXPORTER))
                .collect(Collectors.toSet());
    }
}
