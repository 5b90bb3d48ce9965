package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.adapter.json.SagaNoticeJson;
import com.finedge.once.contract.SagaNotice;
import com.finedge.once.support.Queue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Each check of the audit that the crash, chaos and demo runs rely on, with an order that it must find. */
class OrderAuditIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final PostgresServer.Database DATABASE =
            SERVICES.postgres().fresh().migrated();
    private static final JdbcClient OWNER = JdbcClient.create(DATABASE.ownersDataSource());
    private static final OrderQueues QUEUES = OrderQueues.unique().createIn(SERVICES.sqs());

    private final Queue events = Queue.named(SERVICES.sqs(), QUEUES.events());
    private final OrderAudit audit = new OrderAudit(DATABASE, events);

    @BeforeEach
    void empty() {
        OWNER.sql("""
                        TRUNCATE placed_order, saga_instance, saga_definition, saga_orphan, payment, refund, stock_reservation,
                            stock_release, shipment, shipment_cancellation, order_confirmation CASCADE""").update();
        OWNER.sql("INSERT INTO saga_definition VALUES ('order-fulfilment', 1, repeat('0', 64))")
                .update();
        events.drain();
    }

    private void sql(String statement, String orderId) {
        OWNER.sql(statement).param("order", orderId).update();
    }

    private void saga(String orderId, @Nullable String outcome, @Nullable String attention) {
        OWNER.sql("""
                        INSERT INTO saga_instance (saga_id, saga_type, definition_version, business_key, phase, state,
                            outcome, current_step, version, data, wake_at, ended_at, attention, attention_since)
                        VALUES (md5(:order)::uuid, 'order-fulfilment', 1, :order, :phase, 'SOME', :outcome, :step, 1, '{}',
                            now(), CASE WHEN CAST(:outcome AS text) IS NOT NULL THEN now() END,
                            :attention, CASE WHEN CAST(:attention AS text) IS NOT NULL THEN now() END)""")
                .param("order", orderId)
                .param("phase", outcome == null ? "FORWARD" : "ENDED")
                .param("outcome", outcome)
                .param("step", outcome == null ? "payment" : null)
                .param("attention", attention)
                .update();
    }

    private void did(String orderId, String... tables) {
        for (String table : tables) {
            sql(
                    switch (table) {
                        case "placed_order" -> """
                                INSERT INTO placed_order (order_id, customer_id, amount, currency, lines, fingerprint)
                                VALUES (:order, 'C-1', 19.90, 'EUR', '[1]', repeat('0', 64))""";
                        case "payment" -> """
                                INSERT INTO payment VALUES (md5('payment ' || :order)::uuid, md5(:order)::uuid, :order,
                                    'C-1', 19.90, 'EUR', now())""";
                        case "refund" -> """
                                INSERT INTO refund VALUES (gen_random_uuid(), md5('payment ' || :order)::uuid, 19.90, 'EUR',
                                    now())""";
                        case "stock_reservation" -> """
                                INSERT INTO stock_reservation VALUES (md5('stock ' || :order)::uuid, md5(:order)::uuid,
                                    :order, '[1]', now())""";
                        case "stock_release" ->
                            "INSERT INTO stock_release VALUES (gen_random_uuid(), md5('stock ' || :order)::uuid, now())";
                        case "shipment" -> """
                                INSERT INTO shipment VALUES (md5('shipment ' || :order)::uuid, md5(:order)::uuid, :order,
                                    'C-1', md5('stock ' || :order)::uuid, now())""";
                        case "shipment_cancellation" ->
                            "INSERT INTO shipment_cancellation VALUES (md5('shipment ' || :order)::uuid, now())";
                        case "order_confirmation" -> """
                                INSERT INTO order_confirmation VALUES (md5(:order)::uuid, :order,
                                    md5('payment ' || :order)::uuid, md5('shipment ' || :order)::uuid, now())""";
                        default -> throw new IllegalArgumentException(table);
                    },
                    orderId);
        }
    }

    private void told(String orderId, String... types) {
        for (String type : types) {
            tell(UUID.randomUUID().toString(), orderId, type);
        }
    }

    private void tell(String factId, String orderId, String type) {
        events.send(new SagaNoticeJson()
                .write(new SagaNotice(
                        factId,
                        type,
                        "order-fulfilment",
                        Instant.parse("2026-03-01T10:00:00Z"),
                        orderId,
                        Optional.empty(),
                        Map.of("orderId", orderId))));
    }

    private void completed(String orderId, String... did) {
        did(orderId, "placed_order");
        saga(orderId, "COMPLETED", null);
        did(orderId, did);
        told(orderId, "OrderPlaced.v1", "OrderCompleted.v1");
    }

    private void cancelled(String orderId, String... did) {
        did(orderId, "placed_order");
        saga(orderId, "CANCELLED", null);
        did(orderId, did);
        told(orderId, "OrderPlaced.v1", "OrderCancelled.v1");
    }

    private void sound() {
        completed("O-sound", "payment", "stock_reservation", "shipment", "order_confirmation");
        cancelled("O-declined");
        cancelled(
                "O-undone",
                "payment",
                "refund",
                "stock_reservation",
                "stock_release",
                "shipment",
                "shipment_cancellation");
    }

    /** What is made wrong, and what the audit must say of it. */
    record Wrong(String name, Consumer<OrderAuditIT> making, List<String> violations) {

        static Wrong of(String name, Consumer<OrderAuditIT> making, String... violations) {
            return new Wrong(name, making, List.of(violations));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static final List<Wrong> WRONG = List.of(
            Wrong.of(
                    "charged and never refunded",
                    it -> it.cancelled("O-1", "payment"),
                    "O-1 was cancelled, and its customer charged and never refunded"),
            Wrong.of(
                    "stock still reserved",
                    it -> it.cancelled("O-1", "stock_reservation"),
                    "O-1 was cancelled, and its stock is still reserved"),
            Wrong.of(
                    "shipped though cancelled",
                    it -> it.cancelled("O-1", "shipment"),
                    "O-1 was cancelled, and is shipped"),
            Wrong.of(
                    "confirmed though cancelled",
                    it -> it.cancelled("O-1", "order_confirmation"),
                    "O-1 was cancelled, and confirmed"),
            Wrong.of(
                    "all of it at once",
                    it -> it.cancelled("O-1", "payment", "stock_reservation", "shipment", "order_confirmation"),
                    "O-1 was cancelled, and its customer charged and never refunded",
                    "O-1 was cancelled, and its stock is still reserved",
                    "O-1 was cancelled, and is shipped",
                    "O-1 was cancelled, and confirmed"),
            Wrong.of(
                    "never paid",
                    it -> it.completed("O-1", "stock_reservation", "shipment", "order_confirmation"),
                    "O-1 was completed, and something of it was never done"),
            Wrong.of(
                    "never reserved",
                    it -> it.completed("O-1", "payment", "shipment", "order_confirmation"),
                    "O-1 was completed, and something of it was never done"),
            Wrong.of(
                    "never shipped",
                    it -> it.completed("O-1", "payment", "stock_reservation", "order_confirmation"),
                    "O-1 was completed, and something of it was never done"),
            Wrong.of(
                    "never confirmed",
                    it -> it.completed("O-1", "payment", "stock_reservation", "shipment"),
                    "O-1 was completed, and something of it was never done"),
            Wrong.of(
                    "refunded though completed",
                    it -> it.completed(
                            "O-1", "payment", "refund", "stock_reservation", "shipment", "order_confirmation"),
                    "O-1 was completed, and something of it undone"),
            Wrong.of(
                    "released though completed",
                    it -> it.completed(
                            "O-1", "payment", "stock_reservation", "stock_release", "shipment", "order_confirmation"),
                    "O-1 was completed, and something of it undone"),
            Wrong.of(
                    "shipment cancelled though completed",
                    it -> it.completed(
                            "O-1",
                            "payment",
                            "stock_reservation",
                            "shipment",
                            "shipment_cancellation",
                            "order_confirmation"),
                    "O-1 was completed, and something of it undone"),
            Wrong.of(
                    "stuck, and nobody told",
                    it -> it.saga("O-1", null, null),
                    "O-1 has neither ended nor asked for attention"),
            Wrong.of(
                    "participants that contradict themselves",
                    it -> it.saga("O-1", null, "CONTRADICTION"),
                    "O-1 asks for attention: CONTRADICTION"),
            Wrong.of("placed and forgotten", it -> it.did("O-1", "placed_order"), "O-1 was placed and has no saga"),
            Wrong.of(
                    "an answer to nobody",
                    it -> it.sql("INSERT INTO saga_orphan VALUES ('m-1', md5(:order)::uuid, 'body')", "O-1"),
                    "an answer has come for no saga: 833db393-7c9f-f664-a05a-eb3eb8b05887"),
            Wrong.of(
                    "told twice",
                    it -> {
                        it.cancelled("O-1");
                        it.told("O-1", "OrderCancelled.v1");
                    },
                    "O-1 has ended [CANCELLED], and everyone was told [CANCELLED, CANCELLED]"),
            Wrong.of(
                    "told the wrong end",
                    it -> {
                        it.saga("O-1", "CANCELLED", null);
                        it.told("O-1", "OrderCompleted.v1");
                    },
                    "O-1 has ended [CANCELLED], and everyone was told [COMPLETED]"),
            Wrong.of(
                    "not told",
                    it -> it.saga("O-1", "CANCELLED", null),
                    "O-1 has ended [CANCELLED], and everyone was told []"),
            Wrong.of(
                    "told too early",
                    it -> {
                        it.saga("O-1", null, "NO_REPLY");
                        it.told("O-1", "OrderCompleted.v1");
                    },
                    "O-1 has ended [], and everyone was told [COMPLETED]"));

    @ParameterizedTest(name = "{0}")
    @FieldSource("WRONG")
    void itFinds(Wrong wrong) {
        sound();
        wrong.making.accept(this);

        assertThat(audit.violations()).containsExactlyInAnyOrderElementsOf(wrong.violations);
    }

    @Test
    void itFindsNothingWhereNothingIsWrong() {
        sound();
        saga("O-waiting", null, "NO_REPLY");
        saga("O-undoing", null, "UNDO_NOT_CONFIRMED");
        tell("one-fact", "O-told-twice-by-its-queue", "OrderCancelled.v1");
        tell("one-fact", "O-told-twice-by-its-queue", "OrderCancelled.v1");
        saga("O-told-twice-by-its-queue", "CANCELLED", null);

        assertThat(audit.violations()).isEmpty();
    }
}
