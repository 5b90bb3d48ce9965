package com.finedge.once.adapter.postgres;

import com.finedge.once.charge.Money;
import com.finedge.once.order.DispatchResult;
import com.finedge.once.order.Dispatches;
import com.finedge.once.order.Item;
import com.finedge.once.order.OrderFact;
import com.finedge.once.order.OrderFact.Confirmation;
import com.finedge.once.order.OrderFact.Payment;
import com.finedge.once.order.OrderFact.Refund;
import com.finedge.once.order.OrderFact.Shipment;
import com.finedge.once.order.OrderFact.ShipmentCancellation;
import com.finedge.once.order.OrderFact.StockRelease;
import com.finedge.once.order.OrderFact.StockReservation;
import com.finedge.once.order.OrderFacts;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.util.PGobject;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The facts of orders, each kind in a table of its own that the application can't change. */
public final class PostgresOrderFacts implements OrderFacts, Dispatches {

    private final DataSource dataSource;
    private final JdbcClient jdbc;

    /** @param dataSource the one that the callers' transactions are of */
    public PostgresOrderFacts(DataSource dataSource) {
        this.dataSource = dataSource;
        this.jdbc = JdbcClient.create(dataSource);
    }

    @Override
    public void add(OrderFact fact) {
        if (!CallersTransaction.isOf(dataSource)) {
            throw new IllegalStateException("a fact of an order can be added only within a transaction of its own"
                    + " database, on the thread that has begun it");
        }
        switch (fact) {
            case Payment(UUID id, UUID sagaId, String orderId, String customerId, Money amount, Instant takenAt) ->
                insert(
                        "payment (payment_id, saga_id, order_id, customer_id, amount, currency, taken_at)",
                        id,
                        sagaId,
                        orderId,
                        customerId,
                        amount.amount(),
                        currency(amount),
                        utc(takenAt));
            case Refund(UUID id, UUID paymentId, Money amount, Instant refundedAt) ->
                insert(
                        "refund (refund_id, payment_id, amount, currency, refunded_at)",
                        id,
                        paymentId,
                        amount.amount(),
                        currency(amount),
                        utc(refundedAt));
            case StockReservation(UUID id, UUID sagaId, String orderId, List<Item> items, Instant reservedAt) ->
                insert(
                        "stock_reservation (reservation_id, saga_id, order_id, reserved_at, items)",
                        id,
                        sagaId,
                        orderId,
                        utc(reservedAt),
                        json(items));
            case StockRelease(UUID id, UUID reservationId, Instant releasedAt) ->
                insert("stock_release (release_id, reservation_id, released_at)", id, reservationId, utc(releasedAt));
            case Shipment(UUID id, UUID sagaId, String orderId, String customerId, UUID reservation, Instant at) ->
                insert(
                        "shipment (shipment_id, saga_id, order_id, customer_id, reservation_id, arranged_at)",
                        id,
                        sagaId,
                        orderId,
                        customerId,
                        reservation,
                        utc(at));
            case ShipmentCancellation(UUID shipmentId, Instant cancelledAt) ->
                insert("shipment_cancellation (shipment_id, cancelled_at)", shipmentId, utc(cancelledAt));
            case Confirmation(UUID sagaId, String orderId, UUID paymentId, UUID shipmentId, Instant confirmedAt) ->
                insert(
                        "order_confirmation (saga_id, order_id, payment_id, shipment_id, confirmed_at)",
                        sagaId,
                        orderId,
                        paymentId,
                        shipmentId,
                        utc(confirmedAt));
        }
    }

    @Override
    public boolean isDispatched(UUID shipmentId) {
        return jdbc.sql("SELECT EXISTS (SELECT 1 FROM shipment_dispatch WHERE shipment_id = ?)")
                .param(shipmentId)
                .query(Boolean.class)
                .single();
    }

    /** The insert is refused where the shipment has an end already; which one it is, is asked then. */
    @Override
    public DispatchResult dispatch(String orderId, Instant at) {
        try {
            int rows = jdbc.sql("""
                            INSERT INTO shipment_dispatch (shipment_id, dispatched_at)
                            SELECT shipment_id, ? FROM shipment WHERE order_id = ?""").params(utc(at), orderId).update();
            return rows == 0 ? DispatchResult.UNKNOWN : DispatchResult.DISPATCHED;
        } catch (DuplicateKeyException ended) {
            return jdbc.sql("""
                                    SELECT EXISTS (
                                        SELECT 1 FROM shipment_dispatch JOIN shipment USING (shipment_id)
                                        WHERE order_id = ?)""").param(orderId).query(Boolean.class).single()
                    ? DispatchResult.DISPATCHED
                    : DispatchResult.CANCELLED;
        }
    }

    private void insert(String table, Object... values) {
        String marks = String.join(", ", Collections.nCopies(values.length, "?"));
        jdbc.sql("INSERT INTO %s VALUES (%s)".formatted(table, marks))
                .params(values)
                .update();
    }

    private static PGobject json(List<Item> items) {
        PGobject json = new PGobject();
        json.setType("jsonb");
        try {
            json.setValue(Json.write(items));
        } catch (SQLException impossible) {
            throw new IllegalStateException(impossible);
        }
        return json;
    }

    private static String currency(Money amount) {
        return amount.currency().getCurrencyCode();
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
