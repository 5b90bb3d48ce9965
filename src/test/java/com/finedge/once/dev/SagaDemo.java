package com.finedge.once.dev;

import static com.finedge.once.contract.SagaMessage.Direction.DO;
import static com.finedge.once.contract.SagaMessage.Direction.UNDO;

import com.fasterxml.jackson.databind.JsonNode;
import com.finedge.once.contract.SagaNotice;
import com.finedge.once.dev.OrderFaults.Fault;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Eight orders on embedded services, placed and cancelled over HTTP with a process that runs their sagas, while the
 * participants, in this one, do what they are told to do wrong. {@code make demo-saga} calls it.
 */
public final class SagaDemo {

    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration SLOW = Duration.ofMillis(1_500);

    private static final List<String> FORWARD =
            List.of("OrderPlaced", "PaymentTaken", "StockReserved", "ShippingArranged", "OrderConfirmed");

    /**
     * One order.
     *
     * @param faults what goes wrong with it
     * @param cancelAt the state in which its customer wants it no more; none if empty
     * @param facts what everyone is to be told, in whatever order
     * @param rows what the participants are to have, beside nothing
     */
    private record Scenario(
            String orderId,
            String what,
            Consumer<OrderFaults> faults,
            String cancelAt,
            int cancelAnswer,
            String end,
            List<String> facts,
            Map<String, Integer> rows) {

        static Scenario of(String what, Consumer<OrderFaults> faults, String end, List<String> facts, String... rows) {
            return new Scenario(
                    what.replace(' ', '-').toUpperCase(Locale.ROOT),
                    what,
                    faults,
                    "",
                    0,
                    end,
                    facts,
                    List.of(rows).stream().collect(Collectors.toMap(row -> row, row -> 1)));
        }

        Scenario cancelledAt(String state, int answer) {
            return new Scenario(orderId, what, faults, state, answer, end, facts, rows);
        }
    }

    private static List<String> facts(int forward, String... then) {
        List<String> facts = new ArrayList<>(FORWARD.subList(0, forward));
        facts.addAll(List.of(then));
        return facts;
    }

    private static Consumer<OrderFaults> at(String orderId, String step, Fault fault) {
        return faults -> faults.set(orderId, step, fault instanceof Fault.Fail ? UNDO : DO, fault);
    }

    private static final List<Scenario> SCENARIOS = List.of(
            Scenario.of(
                    "happy",
                    faults -> {},
                    "COMPLETED",
                    facts(5, "OrderCompleted"),
                    "payment",
                    "reservation",
                    "shipment"),
            Scenario.of(
                    "declined",
                    at("DECLINED", "payment", new Fault.Refuse("PaymentDeclined.v1")),
                    "CANCELLED",
                    facts(1, "PaymentDeclined", "OrderCancelled")),
            Scenario.of(
                    "out of stock",
                    at("OUT-OF-STOCK", "stock", new Fault.Refuse("StockUnavailable.v1")),
                    "CANCELLED",
                    facts(2, "StockUnavailable", "PaymentRefunded", "OrderCancelled"),
                    "payment",
                    "refund"),
            Scenario.of(
                    "shipping fails",
                    at("SHIPPING-FAILS", "shipping", new Fault.Refuse("ShippingFailed.v1")),
                    "CANCELLED",
                    facts(3, "ShippingFailed", "StockReleased", "PaymentRefunded", "OrderCancelled"),
                    "payment",
                    "refund",
                    "reservation",
                    "release"),
            Scenario.of(
                    "payment silent past its timeout",
                    at("PAYMENT-SILENT-PAST-ITS-TIMEOUT", "payment", new Fault.Silence()),
                    "CANCELLED",
                    facts(1, "PaymentRefundNotNeeded", "OrderCancelled")),
            Scenario.of(
                    "refund fails seven times",
                    at("REFUND-FAILS-SEVEN-TIMES", "shipping", new Fault.Refuse("ShippingFailed.v1"))
                            .andThen(at("REFUND-FAILS-SEVEN-TIMES", "payment", new Fault.Fail(7))),
                    "CANCELLED",
                    facts(3, "ShippingFailed", "StockReleased", "PaymentRefunded", "OrderCancelled"),
                    "payment",
                    "refund",
                    "reservation",
                    "release"),
            // The reservation is on its way when the customer changes his mind: it is made, and released.
            Scenario.of(
                            "cancel before the pivot",
                            at("CANCEL-BEFORE-THE-PIVOT", "stock", new Fault.Slow(SLOW)),
                            "CANCELLED",
                            facts(3, "StockReleased", "PaymentRefunded", "OrderCancelled"),
                            "payment",
                            "refund",
                            "reservation",
                            "release")
                    .cancelledAt("STOCK_PENDING", 202),
            Scenario.of(
                            "cancel after the pivot",
                            at("CANCEL-AFTER-THE-PIVOT", "confirm", new Fault.Slow(SLOW)),
                            "COMPLETED",
                            facts(5, "OrderCompleted"),
                            "payment",
                            "reservation",
                            "shipment")
                    .cancelledAt("CONFIRM_PENDING", 409));

    private final OrderPod pod;
    private final OrderAudit audit;
    private final Map<String, Instant> placed = new HashMap<>();
    private final List<String> differences = new ArrayList<>();

    private SagaDemo(OrderPod pod, OrderAudit audit) {
        this.pod = pod;
        this.audit = audit;
    }

    public static void main(String[] args) throws IOException {
        LocalAws.useLocalCredentials();
        System.out.println("demo-saga: starting ElasticMQ (SQS), PostgreSQL, the sagas in a process of their own, and"
                + " their participants");
        List<String> differences;
        try (ElasticMqServer sqsServer = ElasticMqServer.start(0);
                PostgresServer postgres = PostgresServer.start(0);
                SqsClient sqs = LocalAws.sqs(sqsServer.endpoint())) {
            OrderQueues queues = OrderQueues.STANDARD.createIn(sqs);
            PostgresServer.Database database = postgres.create("once").migrated();
            Map<String, String> settings = settings(sqsServer.endpoint(), database);
            try (OrderPod pod = OrderPod.start(settings);
                    RunningOnce participants = RunningOnce.start(settings, OrderFaults.class)) {
                SagaDemo demo =
                        new SagaDemo(pod.awaitStart(), new OrderAudit(database, Queue.named(sqs, queues.events())));
                differences = demo.run(participants.bean(OrderFaults.class));
            }
        }
        System.out.println(
                differences.isEmpty() ? "demo-saga: PASS" : "demo-saga: FAIL " + String.join("; ", differences));
        System.exit(differences.isEmpty() ? 0 : 1);
    }

    private static Map<String, String> settings(URI sqsEndpoint, PostgresServer.Database database) {
        Map<String, String> settings = new HashMap<>(database.properties());
        settings.putAll(LocalAws.credentials());
        settings.put("once.roles", "order-participants");
        settings.put("logging.level.root", "error");
        settings.put("once.aws.sqs-endpoint", sqsEndpoint.toString());
        // Short, so that what has to wait is seen to come back within the minute.
        settings.put("once.sagas.definitions", ShortTimeouts.definitions(Duration.ofSeconds(2), 1));
        settings.put("once.sagas.timer", "200ms");
        settings.put("once.charges.back-off", "500ms");
        settings.put("once.charges.max-back-off", "1s");
        // One order's slowness is not to be seen in the others.
        settings.put("once.orders.pollers", "4");
        return settings;
    }

    private List<String> run(OrderFaults faults) throws IOException {
        for (Scenario scenario : SCENARIOS) {
            scenario.faults.accept(faults);
            expect(pod.place(scenario.orderId) == 201, scenario.orderId + " was not placed");
            placed.put(scenario.orderId, Instant.now());
        }
        System.out.printf("demo-saga: %d orders placed over HTTP%n", SCENARIOS.size());
        for (Scenario scenario : SCENARIOS) {
            if (!scenario.cancelAt.isEmpty()) {
                expect(
                        until(() -> state(scenario.orderId).equals(scenario.cancelAt)),
                        scenario.orderId + " was never " + scenario.cancelAt);
                int answer = pod.cancel(scenario.orderId);
                System.out.printf(
                        "demo-saga: %s: its customer wants it no more while it is %s, and is answered %d%n",
                        scenario.orderId, scenario.cancelAt, answer);
                expect(
                        answer == scenario.cancelAnswer,
                        "%s: the wish to cancel was answered %d".formatted(scenario.orderId, answer));
            }
        }
        int[] said = {-1};
        boolean ended = until(() -> {
            int live = audit.live();
            if (live != said[0]) {
                System.out.printf("demo-saga: %d orders under way%n", live);
                said[0] = live;
            }
            return live == 0 && audit.unsent() == 0;
        });
        expect(ended, "orders are still under way");
        SCENARIOS.forEach(this::report);
        System.out.println();
        differences.addAll(audit.violations());
        return differences;
    }

    private String state(String orderId) {
        return pod.find(orderId).path("state").asText();
    }

    private void report(Scenario scenario) {
        JsonNode order = pod.find(scenario.orderId);
        String end = order.path("state").asText();
        List<String> facts = audit.facts(scenario.orderId).stream()
                .map(SagaNotice::type)
                .map(type -> type.replace(".v1", ""))
                .toList();
        Map<String, Integer> rows = audit.rows(scenario.orderId);
        rows.values().removeIf(count -> count == 0);
        System.out.printf("%n%s: %s%n", scenario.what, end);
        System.out.println("  states  " + timeline(scenario.orderId, order.path("history")));
        System.out.println("  facts   " + String.join(", ", facts));
        System.out.println("  undo    " + undo(order.path("steps")));
        System.out.println("  rows    " + (rows.isEmpty() ? "none" : String.join(", ", rows.keySet())));
        expect(end.equals(scenario.end), "%s is %s".formatted(scenario.orderId, end));
        expect(
                facts.stream()
                        .sorted()
                        .toList()
                        .equals(scenario.facts.stream().sorted().toList()),
                "%s: everyone was told %s".formatted(scenario.orderId, facts));
        expect(rows.equals(scenario.rows), "%s has the rows %s".formatted(scenario.orderId, rows));
        if (scenario.what.contains("silent")) {
            expect(
                    order.path("history").findValuesAsText("what").contains("TIMED_OUT"),
                    scenario.orderId + " has not timed out");
        }
        if (scenario.cancelAnswer == 202) {
            expect(order.path("cancelRequested").asBoolean(), scenario.orderId + " was not cancelled");
        }
    }

    /** Each state with the seconds since the order was placed. */
    private String timeline(String orderId, JsonNode history) {
        StringBuilder line = new StringBuilder();
        String last = "";
        for (JsonNode happened : history) {
            String state = happened.path("state").asText();
            String what = happened.path("what").asText();
            if (!state.equals(last) || what.equals("RESENT")) {
                Duration after = Duration.between(
                        placed.getOrDefault(orderId, Instant.EPOCH),
                        Instant.parse(happened.path("at").asText()));
                line.append(line.isEmpty() ? "" : " > ")
                        .append(state.equals(last) ? "sent again" : state)
                        .append(String.format(Locale.ROOT, " %.1f s", Math.max(0, after.toMillis()) / 1e3));
            }
            last = state;
        }
        return line.toString();
    }

    private static String undo(JsonNode steps) {
        String undone = StreamSupport.stream(steps.spliterator(), false)
                .filter(step -> !step.path("undo").asText().equals("NONE"))
                .map(step -> "%s %s at try %d"
                        .formatted(
                                step.path("step").asText(),
                                step.path("undo").asText(),
                                step.path("undoAttempts").asInt()))
                .collect(Collectors.joining("; "));
        return undone.isEmpty() ? "nothing" : undone;
    }

    private void expect(boolean kept, String otherwise) {
        if (!kept) {
            differences.add(otherwise);
        }
    }

    private static boolean until(BooleanSupplier condition) {
        Instant end = Instant.now().plus(LONGEST);
        try {
            while (!condition.getAsBoolean()) {
                if (Instant.now().isAfter(end)) {
                    return false;
                }
                Thread.sleep(POLL);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
