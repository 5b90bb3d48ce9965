package com.finedge.once.dev;

import com.finedge.once.adapter.json.SagaNoticeJson;
import com.finedge.once.contract.SagaNotice;
import com.finedge.once.support.Queue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What must be so of orders, whatever has happened to them: by the rows of the sagas and of their participants, and by
 * what everyone was told.
 */
public final class OrderAudit {

    private static final Map<String, String> FINAL =
            Map.of("OrderCompleted.v1", "COMPLETED", "OrderCancelled.v1", "CANCELLED");

    /** Each row is an order and what is wrong with it. Participants are honest here, so nothing may look otherwise. */
    private static final String VIOLATIONS = """
            WITH ended AS (
                SELECT saga.business_key AS order_id, saga.outcome, saga.phase, saga.attention,
                    payment.payment_id, refund_id, stock_reservation.reservation_id, release_id, shipment.shipment_id,
                    cancelled_at IS NOT NULL AS shipment_cancelled, confirmed_at IS NOT NULL AS confirmed
                FROM saga_instance saga
                LEFT JOIN payment USING (saga_id) LEFT JOIN refund ON refund.payment_id = payment.payment_id
                LEFT JOIN stock_reservation USING (saga_id)
                LEFT JOIN stock_release ON stock_release.reservation_id = stock_reservation.reservation_id
                LEFT JOIN shipment ON shipment.saga_id = saga.saga_id
                LEFT JOIN shipment_cancellation ON shipment_cancellation.shipment_id = shipment.shipment_id
                LEFT JOIN order_confirmation ON order_confirmation.saga_id = saga.saga_id)
            SELECT order_id || ' was cancelled, and its customer charged and never refunded' FROM ended
            WHERE outcome = 'CANCELLED' AND payment_id IS NOT NULL AND refund_id IS NULL
            UNION ALL SELECT order_id || ' was cancelled, and its stock is still reserved' FROM ended
            WHERE outcome = 'CANCELLED' AND reservation_id IS NOT NULL AND release_id IS NULL
            UNION ALL SELECT order_id || ' was cancelled, and is shipped' FROM ended
            WHERE outcome = 'CANCELLED' AND shipment_id IS NOT NULL AND NOT shipment_cancelled
            UNION ALL SELECT order_id || ' was cancelled, and confirmed' FROM ended
            WHERE outcome = 'CANCELLED' AND confirmed
            UNION ALL SELECT order_id || ' was completed, and something of it was never done' FROM ended
            WHERE outcome = 'COMPLETED'
              AND (payment_id IS NULL OR reservation_id IS NULL OR shipment_id IS NULL OR NOT confirmed)
            UNION ALL SELECT order_id || ' was completed, and something of it undone' FROM ended
            WHERE outcome = 'COMPLETED' AND (refund_id IS NOT NULL OR release_id IS NOT NULL OR shipment_cancelled)
            UNION ALL SELECT order_id || ' has neither ended nor asked for attention' FROM ended
            WHERE phase <> 'ENDED' AND attention IS NULL
            UNION ALL SELECT order_id || ' asks for attention: ' || attention FROM ended
            WHERE attention NOT IN ('NO_REPLY', 'UNDO_NOT_CONFIRMED')
            UNION ALL SELECT order_id || ' was placed and has no saga' FROM placed_order
            WHERE NOT EXISTS (SELECT 1 FROM saga_instance WHERE business_key = order_id)
            UNION ALL SELECT 'an answer has come for no saga: ' || saga_id FROM saga_orphan
            ORDER BY 1""";

    private final JdbcClient jdbc;
    private final Queue events;
    private final Map<String, Map<String, SagaNotice>> told = new TreeMap<>();

    /** @param events takes what everyone is told; it is emptied */
    public OrderAudit(PostgresServer.Database database, Queue events) {
        this.jdbc = JdbcClient.create(database.dataSource());
        this.events = events;
    }

    /** What everyone was told about an order so far, each fact once, by the time it was written. */
    public List<SagaNotice> facts(String orderId) {
        listen();
        return told.getOrDefault(orderId, Map.of()).values().stream()
                .sorted(Comparator.comparing(SagaNotice::time))
                .toList();
    }

    private void listen() {
        SagaNoticeJson json = new SagaNoticeJson();
        events.drain().forEach(message -> {
            SagaNotice fact = json.read(message.body());
            // Queues deliver more than once: one fact has one id.
            told.computeIfAbsent(fact.businessKey(), id -> new LinkedHashMap<>())
                    .put(fact.id(), fact);
        });
    }

    /** How many rows the participants have of an order, by what was done. */
    public Map<String, Integer> rows(String orderId) {
        Map<String, Integer> rows = new LinkedHashMap<>();
        jdbc.sql("""
                        SELECT count(payment.payment_id) AS payment, count(refund_id) AS refund,
                            count(stock_reservation.reservation_id) AS reservation, count(release_id) AS release,
                            count(shipment.shipment_id) AS shipment, count(cancelled_at) AS cancellation
                        FROM saga_instance saga
                        LEFT JOIN payment USING (saga_id) LEFT JOIN refund ON refund.payment_id = payment.payment_id
                        LEFT JOIN stock_reservation USING (saga_id)
                LEFT JOIN stock_release ON stock_release.reservation_id = stock_reservation.reservation_id
                        LEFT JOIN shipment ON shipment.saga_id = saga.saga_id
                        LEFT JOIN shipment_cancellation ON shipment_cancellation.shipment_id = shipment.shipment_id
                        WHERE business_key = ?""")
                .param(orderId)
                .query()
                .singleRow()
                .forEach((what, count) -> rows.put(what, ((Number) count).intValue()));
        return rows;
    }

    /** How many sagas haven't ended. */
    public int live() {
        return count("SELECT count(*) FROM saga_instance WHERE phase <> 'ENDED'");
    }

    /** How many sagas there are. */
    public int sagas() {
        return count("SELECT count(*) FROM saga_instance");
    }

    /** How many messages haven't left the outbox. */
    public int unsent() {
        return count("SELECT count(*) FROM outbox WHERE state <> 'SENT'");
    }

    /** How many sagas have ended so. */
    public int ended(String outcome) {
        return jdbc.sql("SELECT count(*) FROM saga_instance WHERE outcome = ?")
                .param(outcome)
                .query(Integer.class)
                .single();
    }

    /** How many transitions were of this disposition. */
    public int transitions(String disposition) {
        return jdbc.sql("SELECT count(*) FROM saga_event WHERE disposition = ?")
                .param(disposition)
                .query(Integer.class)
                .single();
    }

    private int count(String sql) {
        return jdbc.sql(sql).query(Integer.class).single();
    }

    /** What is not as it must be; to be asked when nothing is under way any more. */
    public List<String> violations() {
        List<String> violations =
                new ArrayList<>(jdbc.sql(VIOLATIONS).query(String.class).list());
        listen();
        jdbc.sql("SELECT business_key, coalesce(outcome, '') AS outcome FROM saga_instance ORDER BY business_key")
                .query((row, number) -> Map.entry(row.getString("business_key"), row.getString("outcome")))
                .list()
                .forEach(saga -> {
                    List<String> ends = facts(saga.getKey()).stream()
                            .map(SagaNotice::type)
                            .filter(FINAL::containsKey)
                            .map(type -> FINAL.getOrDefault(type, ""))
                            .toList();
                    List<String> expected = saga.getValue().isEmpty() ? List.of() : List.of(saga.getValue());
                    if (!ends.equals(expected)) {
                        violations.add(
                                "%s has ended %s, and everyone was told %s".formatted(saga.getKey(), expected, ends));
                    }
                });
        return violations;
    }
}
