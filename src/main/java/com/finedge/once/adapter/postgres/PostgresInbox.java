package com.finedge.once.adapter.postgres;

import com.finedge.once.inbox.Inbox;
import com.finedge.once.inbox.InboxListener;
import com.finedge.once.inbox.InboxResult;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The inbox in the table {@code inbox}. */
public final class PostgresInbox implements Inbox {

    private final JdbcClient jdbc;
    private final TransactionOperations transactions;
    private final InboxListener listener;

    /** @param transactions of the same data source, joining a transaction that the caller has begun */
    public PostgresInbox(JdbcClient jdbc, TransactionOperations transactions, InboxListener listener) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.listener = listener;
    }

    @Override
    public <T> InboxResult<T> receive(String consumer, String messageId, Supplier<T> work) {
        return Objects.requireNonNull(transactions.execute(status -> {
            boolean isNew = isNew(consumer, messageId);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    listener.received(consumer, isNew);
                }
            });
            return isNew ? new InboxResult.Applied<>(work.get()) : new InboxResult.Duplicate<>();
        }));
    }

    /** By the row count, not by an exception: that would have aborted the transaction. */
    private boolean isNew(String consumer, String messageId) {
        return jdbc.sql("INSERT INTO inbox (consumer, message_id) VALUES (:consumer, :id) ON CONFLICT DO NOTHING")
                        .param("consumer", consumer)
                        .param("id", messageId)
                        .update()
                == 1;
    }

    @Override
    public int purge(Duration receivedBefore, int most) {
        return jdbc.sql("""
                        WITH old AS MATERIALIZED (
                            SELECT consumer, message_id FROM inbox WHERE received_at < now() - :age * interval '1 ms'
                            LIMIT :most FOR UPDATE SKIP LOCKED)
                        DELETE FROM inbox USING old
                        WHERE inbox.consumer = old.consumer AND inbox.message_id = old.message_id""")
                .param("age", receivedBefore.toMillis())
                .param("most", most)
                .update();
    }
}
