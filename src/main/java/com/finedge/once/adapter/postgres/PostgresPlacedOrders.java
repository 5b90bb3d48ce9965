package com.finedge.once.adapter.postgres;

import com.finedge.once.claim.Fingerprint;
import com.finedge.once.contract.OrderPlaced;
import com.finedge.once.order.PlacedOrders;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/** Orders in the table {@code placed_order}. */
public final class PostgresPlacedOrders implements PlacedOrders {

    private final JdbcClient jdbc;
    private final TransactionOperations transactions;

    /** @param transactions of the same data source */
    public PostgresPlacedOrders(JdbcClient jdbc, TransactionOperations transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    @Override
    public <T> T inTransaction(Supplier<T> work) {
        return Objects.requireNonNull(transactions.execute(status -> work.get()));
    }

    /** By the row count, not by an exception: that would have aborted the transaction. */
    @Override
    public boolean add(OrderPlaced order, Fingerprint fingerprint) {
        return jdbc.sql("""
                                INSERT INTO placed_order (order_id, customer_id, amount, currency, lines, fingerprint)
                                VALUES (:id, :customer, CAST(:amount AS numeric), :currency, CAST(:lines AS jsonb), :fingerprint)
                                ON CONFLICT DO NOTHING""")
                        .param("id", order.orderId())
                        .param("customer", order.customerId())
                        .param("amount", order.amount())
                        .param("currency", order.currency())
                        .param("lines", Json.write(order.items()))
                        .param("fingerprint", fingerprint.value())
                        .update()
                == 1;
    }

    @Override
    public Optional<Fingerprint> find(String orderId) {
        // No text of PostgreSQL has this character, and it refuses to look for one.
        if (orderId.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        return jdbc.sql("SELECT fingerprint FROM placed_order WHERE order_id = :id")
                .param("id", orderId)
                .query((row, number) -> new Fingerprint(row.getString("fingerprint")))
                .optional();
    }

    @Override
    public boolean requestCancel(String orderId) {
        return jdbc.sql("""
                                UPDATE placed_order SET cancel_requested_at = now()
                                WHERE order_id = :id AND cancel_requested_at IS NULL""").param("id", orderId).update() == 1;
    }
}
