package com.finedge.once.order;

import static com.finedge.once.contract.SagaMessage.Direction.DO;
import static com.finedge.once.contract.SagaMessage.Direction.UNDO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.adapter.json.SagaCommandJson;
import com.finedge.once.adapter.json.SagaNoticeJson;
import com.finedge.once.adapter.json.SagaReplyJson;
import com.finedge.once.contract.SagaCommand;
import com.finedge.once.contract.SagaMessage.Direction;
import com.finedge.once.contract.SagaReply;
import com.finedge.once.contract.SagaReply.Outcome;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderFaults;
import com.finedge.once.dev.OrderFaults.Fault;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.saga.SagaIds;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.camel.CamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** The participants in the application: commands come by SQS, answers and facts leave through the outbox. */
class ParticipantRoutesIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final LocalResources RESOURCES = SERVICES.fresh();
    private static final PostgresServer.Database DATABASE = SERVICES.postgres().fresh();
    private static final OrderQueues QUEUES =
            OrderQueues.unique().withMaxReceiveCount(3).createIn(SERVICES.sqs());
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private static RunningOnce once;
    private static OrderFaults faults;
    private static JdbcClient jdbc;

    private final String orderId = "O-" + UUID.randomUUID();
    private final UUID sagaId = SagaIds.saga("order-fulfilment", orderId);
    private final Queue replies = Queue.named(SERVICES.sqs(), QUEUES.replies());
    private final Queue events = Queue.named(SERVICES.sqs(), QUEUES.events());
    private final List<SagaReply> answered = new ArrayList<>();
    private final List<Message> told = new ArrayList<>();

    @BeforeAll
    static void start() {
        Map<String, String> settings = new HashMap<>(SERVICES.properties(RESOURCES));
        settings.putAll(DATABASE.properties());
        settings.putAll(QUEUES.properties());
        settings.put("once.roles", "order-participants");
        settings.put("once.orders.pollers", "2");
        settings.put("once.charges.back-off", "50ms");
        settings.put("once.charges.max-back-off", "100ms");
        // Nothing listens there: this role must do without.
        settings.put("once.aws.dynamodb-endpoint", "http://127.0.0.1:1");
        settings.put("once.core-banking.url", "http://127.0.0.1:1");
        settings.put("once.charges.queue", "no-such-queue");
        once = RunningOnce.start(settings, OrderFaults.class);
        faults = once.bean(OrderFaults.class);
        jdbc = JdbcClient.create(DATABASE.dataSource());
    }

    @AfterAll
    static void stop() {
        once.close();
    }

    @BeforeEach
    void empty() {
        replies.drain();
        events.drain();
    }

    private SagaCommand command(String step, Direction direction, int attempt) {
        UUID commandId = SagaIds.command(sagaId, step, com.finedge.once.saga.Direction.valueOf(direction.name()));
        return new SagaCommand(
                commandId + ":" + attempt,
                "SomeCommand.v1",
                "order-fulfilment",
                Instant.parse("2026-03-01T10:00:00Z"),
                sagaId,
                "order-fulfilment",
                1,
                orderId,
                step,
                direction,
                commandId,
                attempt,
                QUEUES.replies(),
                Optional.empty(),
                Optional.of(TRACE),
                Map.of(
                        "orderId",
                        orderId,
                        "customerId",
                        "C-1",
                        "amount",
                        "19.90",
                        "currency",
                        "EUR",
                        "items",
                        List.of(Map.of("sku", "S-1", "quantity", 2)),
                        "reservationId",
                        sagaId.toString(),
                        "paymentId",
                        sagaId.toString(),
                        "shipmentId",
                        sagaId.toString()));
    }

    private void send(String step, Direction direction, int attempt) {
        send(step, new SagaCommandJson().write(command(step, direction, attempt)));
    }

    private static void send(String step, String body) {
        Queue.named(SERVICES.sqs(), QUEUES.commands(step)).send(body);
    }

    /** Waits until there are so many answers in all. */
    private List<SagaReply> answers(int count) {
        await().atMost(LONGEST).pollInterval(Duration.ofMillis(20)).untilAsserted(() -> {
            replies.drain().forEach(message -> answered.add(new SagaReplyJson().read(message.body())));
            assertThat(answered).hasSize(count);
        });
        return answered;
    }

    private List<Message> facts(int count) {
        await().atMost(LONGEST).pollInterval(Duration.ofMillis(20)).untilAsserted(() -> {
            told.addAll(events.drain());
            assertThat(told).hasSize(count);
        });
        return told;
    }

    private static List<String> types(List<Message> messages) {
        return messages.stream()
                .map(message -> new SagaNoticeJson().read(message.body()).type())
                .toList();
    }

    private int payments() {
        return count("SELECT count(*) FROM payment WHERE order_id = ?");
    }

    private int refunds() {
        return count("SELECT count(*) FROM refund JOIN payment USING (payment_id) WHERE order_id = ?");
    }

    private int count(String sql) {
        return jdbc.sql(sql).param(orderId).query(Integer.class).single();
    }

    @Test
    void aCommandIsAnsweredToWhoAskedAndToldToEveryone() {
        send("payment", DO, 1);

        SagaReply reply = answers(1).get(0);
        SagaCommand command = command("payment", DO, 1);
        assertThat(reply.outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(reply.type()).isEqualTo("PaymentTaken.v1");
        assertThat(reply.commandId()).isEqualTo(command.commandId());
        assertThat(reply.inReplyTo()).isEqualTo(command.id());
        assertThat(reply.sagaId()).isEqualTo(sagaId);
        assertThat(reply.traceparent()).contains(TRACE);
        assertThat(reply.data()).containsKey("paymentId").containsEntry("amount", "19.90");
        Message fact = facts(1).get(0);
        assertThat(new SagaNoticeJson().read(fact.body()).data()).isEqualTo(reply.data());
        assertThat(fact.messageAttributes())
                .hasEntrySatisfying(
                        "type", type -> assertThat(type.stringValue()).isEqualTo("PaymentTaken.v1"))
                .hasEntrySatisfying("sagaId", id -> assertThat(id.stringValue()).isEqualTo(sagaId.toString()))
                .hasEntrySatisfying(
                        "traceparent", trace -> assertThat(trace.stringValue()).isEqualTo(TRACE));
    }

    /** As after a crash between the commit and the delete. */
    @Test
    void aMessageThatIsDeliveredAgainAfterItsCommitDoesNothingAgain() {
        send("payment", DO, 1);
        answers(1);
        send("payment", DO, 1);
        send("payment", DO, 2);

        List<SagaReply> both = answers(2);
        assertThat(both).extracting(SagaReply::attempt).containsExactly(1, 2);
        assertThat(both.get(1).data()).isEqualTo(both.get(0).data());
        assertThat(both.get(1).id()).isNotEqualTo(both.get(0).id());
        assertThat(payments()).isEqualTo(1);
        emptied("payment");
        assertThat(answers(2)).as("none for the repeat").hasSize(2);
        facts(1);
    }

    private static void emptied(String step) {
        Queue commands = Queue.named(SERVICES.sqs(), QUEUES.commands(step));
        await().atMost(LONGEST).until(() -> commands.size() == 0);
    }

    @Test
    void allStepsAreDoneOneAfterAnotherAndTheConfirmationHasNoUndo() {
        for (String step : List.of("payment", "stock", "shipping", "confirm")) {
            send(step, DO, 1);
            answers(answered.size() + 1);
        }
        send("confirm", UNDO, 1);

        assertThat(answered)
                .extracting(SagaReply::type)
                .containsExactly("PaymentTaken.v1", "StockReserved.v1", "ShippingArranged.v1", "OrderConfirmed.v1");
        assertThat(types(facts(4)))
                .containsExactlyInAnyOrder(
                        "PaymentTaken.v1", "StockReserved.v1", "ShippingArranged.v1", "OrderConfirmed.v1");
        deadLetter("confirm");
    }

    private static Message deadLetter(String step) {
        Queue deadLetters = Queue.named(SERVICES.sqs(), OrderQueues.deadLetters(QUEUES.commands(step)));
        return await().atMost(LONGEST)
                .pollInterval(Duration.ofMillis(50))
                .until(deadLetters::drain, messages -> !messages.isEmpty())
                .get(0);
    }

    @Test
    void theFailedShippingIsUndoneStepByStep() {
        faults.set(orderId, "shipping", DO, new Fault.Refuse("ShippingFailed.v1"));
        send("payment", DO, 1);
        answers(1);
        send("stock", DO, 1);
        answers(2);
        send("shipping", DO, 1);
        answers(3);
        send("stock", UNDO, 1);
        answers(4);
        send("payment", UNDO, 1);

        assertThat(answers(5))
                .extracting(SagaReply::outcome)
                .containsExactly(
                        Outcome.SUCCEEDED, Outcome.SUCCEEDED, Outcome.REFUSED, Outcome.SUCCEEDED, Outcome.SUCCEEDED);
        assertThat(types(facts(5)))
                .containsExactly(
                        "PaymentTaken.v1",
                        "StockReserved.v1",
                        "ShippingFailed.v1",
                        "StockReleased.v1",
                        "PaymentRefunded.v1");
        assertThat(payments()).isEqualTo(1);
        assertThat(refunds()).isEqualTo(1);
    }

    /** The action is on its way when its undo is handled. */
    @Test
    void anUndoThatOvertakesItsActionLeavesNothingToRefund() {
        send("payment", UNDO, 1);
        answers(1);
        send("payment", DO, 1);

        assertThat(answers(2))
                .extracting(SagaReply::type)
                .containsExactly("PaymentRefundNotNeeded.v1", "StepTombstoned.v1");
        assertThat(payments()).isZero();
        assertThat(types(facts(1))).containsExactly("PaymentRefundNotNeeded.v1");
    }

    @Test
    void anUndoThatFailsComesAgainUntilItSucceeds() {
        faults.set(orderId, "payment", UNDO, new Fault.Fail(2));
        send("payment", DO, 1);
        answers(1);
        send("payment", UNDO, 1);

        assertThat(answers(2).get(1).type()).isEqualTo("PaymentRefunded.v1");
        assertThat(refunds()).isEqualTo(1);
    }

    @Test
    void aStepThatCannotBeUndoneSaysSoAndStands() throws Exception {
        send("shipping", DO, 1);
        answers(1);
        assertThat(dispatch()).isEqualTo(204);
        send("shipping", UNDO, 1);

        assertThat(answers(2).get(1).outcome()).isEqualTo(Outcome.CANNOT_UNDO);
        assertThat(answered.get(1).type()).isEqualTo("ShipmentAlreadyDispatched.v1");
        assertThat(dispatch()).isEqualTo(204);
    }

    @Test
    void aCancelledShipmentIsNotDispatched() throws Exception {
        assertThat(dispatch()).isEqualTo(404);
        send("shipping", DO, 1);
        answers(1);
        send("shipping", UNDO, 1);
        assertThat(answers(2).get(1).type()).isEqualTo("ShipmentCancelled.v1");

        assertThat(dispatch()).isEqualTo(409);
    }

    private int dispatch() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(URI.create(once.url() + "/shipments/" + orderId + "/dispatch"))
                                    .PUT(BodyPublishers.noBody())
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
        }
    }

    @Test
    void commandsAreCounted() {
        double acted = counted("do", "acted");
        double repeated = counted("do", "repeated");
        double undone = counted("undo", "undone");

        send("stock", DO, 1);
        answers(1);
        send("stock", DO, 2);
        answers(2);
        send("stock", UNDO, 1);
        answers(3);

        await().atMost(LONGEST).until(() -> counted("undo", "undone"), count -> count == undone + 1);
        assertThat(counted("do", "acted")).isEqualTo(acted + 1);
        assertThat(counted("do", "repeated")).isEqualTo(repeated + 1);
    }

    private static double counted(String direction, String result) {
        return once.bean(MeterRegistry.class)
                .counter(MeterNames.SAGA_COMMANDS, "step", "stock", "direction", direction, "result", result)
                .count();
    }

    @Test
    void anUndoThatComesWhileItsActionTakesLongGivesBackWhatIsTaken() {
        faults.set(orderId, "payment", DO, new Fault.Slow(Duration.ofSeconds(2)));
        send("payment", DO, 1);
        await().atMost(LONGEST).until(() -> jdbc.sql("""
                                        SELECT count(*) FROM pg_stat_activity
                                        WHERE datname = current_database() AND state = 'idle in transaction'""").query(Integer.class).single() > 0);
        send("payment", UNDO, 1);

        assertThat(answers(2)).extracting(SagaReply::type).containsExactly("PaymentTaken.v1", "PaymentRefunded.v1");
        assertThat(refunds()).isEqualTo(1);
    }

    @Test
    void silenceIsNoAnswerAndTheNextAttemptGetsOne() {
        faults.set(orderId, "payment", DO, new Fault.Silence());
        send("payment", DO, 1);
        emptied("payment");
        assertThat(payments()).isZero();

        faults.clear(orderId, "payment", DO);
        send("payment", DO, 2);

        assertThat(answers(1).get(0).attempt()).isEqualTo(2);
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void whatIsNoCommandOrOneForAnotherStepEndsAsADeadLetterAsItCame() {
        send("payment", "this is no command");
        assertThat(deadLetter("payment").body()).isEqualTo("this is no command");

        String strayed = new SagaCommandJson().write(command("stock", DO, 1));
        send("payment", strayed);
        assertThat(deadLetter("payment").body()).isEqualTo(strayed);
        assertThat(count("SELECT count(*) FROM stock_reservation WHERE order_id = ?"))
                .isZero();
    }

    @Test
    void aCommandWithoutWhatItNeedsEndsAsADeadLetterAndLeavesNothing() {
        String body = new SagaCommandJson().write(command("payment", DO, 1)).replace("19.90", "-1");
        send("payment", body);

        assertThat(deadLetter("payment").body()).isEqualTo(body);
        assertThat(payments()).isZero();
        assertThat(jdbc.sql("SELECT count(*) FROM participant_op WHERE saga_id = ?")
                        .param(sagaId)
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    @Test
    void theRoutesOfOtherRolesAreNotThere() {
        CamelContext camel = once.bean(CamelContext.class);

        assertThat(camel.getRoute("payment-participant")).isNotNull();
        assertThat(camel.getRoute("recover-charge")).isNull();
        assertThat(camel.getRoute("purge-idempotency-keys")).isNull();
    }
}
