package com.finedge.once.adapter.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.inbox.InboxResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A message changes the database once. */
class PostgresInboxIT {

    private final PostgresServer.Database database =
            LocalServices.shared().postgres().fresh().migrated();
    private final DataSource dataSource = database.dataSource();
    private final JdbcClient jdbc = JdbcClient.create(dataSource);
    private final TransactionTemplate transactions =
            new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final PostgresInbox inbox = new PostgresInbox(
            jdbc, transactions, (consumer, isNew) -> told.add(consumer + (isNew ? " applied" : " duplicate")));

    @BeforeEach
    void createTable() {
        JdbcClient owner = JdbcClient.create(database.ownersDataSource());
        owner.sql("CREATE TABLE work (id text)").update();
        owner.sql("GRANT ALL ON work TO once").update();
    }

    private int work(String id) {
        return jdbc.sql("INSERT INTO work VALUES (?)").param(id).update();
    }

    private long worked() {
        return jdbc.sql("SELECT count(*) FROM work").query(Long.class).single();
    }

    @Test
    void aMessageIsWorkedOnOnce() {
        assertThat(inbox.receive("billing", "m-1", () -> work("m-1"))).isEqualTo(new InboxResult.Applied<>(1));
        assertThat(inbox.receive("billing", "m-1", () -> work("m-1"))).isEqualTo(new InboxResult.Duplicate<>());

        assertThat(worked()).isEqualTo(1);
        assertThat(told).containsExactly("billing applied", "billing duplicate");
    }

    @Test
    void eachConsumerWorksOnIt() {
        inbox.receive("billing", "m-1", () -> work("m-1"));
        inbox.receive("reporting", "m-1", () -> work("m-1"));

        assertThat(worked()).isEqualTo(2);
    }

    @Test
    void workThatFailsIsNotRemembered() {
        assertThatIllegalStateException()
                .isThrownBy(() -> inbox.receive("billing", "m-1", () -> {
                    work("m-1");
                    throw new IllegalStateException("after the work");
                }));
        assertThat(worked()).isZero();

        assertThat(inbox.receive("billing", "m-1", () -> work("m-1"))).isEqualTo(new InboxResult.Applied<>(1));
    }

    @Test
    void itJoinsTheCallersTransaction() {
        transactions.executeWithoutResult(status -> {
            inbox.receive("billing", "m-1", () -> work("m-1"));
            status.setRollbackOnly();
        });

        assertThat(worked()).isZero();
        assertThat(told).as("before it is certain").isEmpty();
        assertThat(inbox.receive("billing", "m-1", () -> work("m-1"))).isEqualTo(new InboxResult.Applied<>(1));
        assertThat(told).containsExactly("billing applied");
    }

    /** A duplicate leaves the caller's transaction usable, which an exception of the database would not. */
    @Test
    void aDuplicateDoesNotAbortTheTransaction() {
        inbox.receive("billing", "m-1", () -> work("m-1"));

        transactions.executeWithoutResult(status -> {
            inbox.receive("billing", "m-1", () -> work("m-1"));
            work("other");
        });

        assertThat(worked()).isEqualTo(2);
    }

    @Test
    void ofManyAtOnceOneWorks() throws Exception {
        int deliveries = 16;
        AtomicInteger applied = new AtomicInteger();
        CountDownLatch together = new CountDownLatch(deliveries);
        Callable<Boolean> delivery = () -> {
            together.countDown();
            together.await();
            if (inbox.receive("billing", "m-1", () -> work("m-1")) instanceof InboxResult.Applied) {
                applied.incrementAndGet();
            }
            return true;
        };
        try (ExecutorService threads = Executors.newFixedThreadPool(deliveries)) {
            for (Future<Boolean> ended : threads.invokeAll(Collections.nCopies(deliveries, delivery))) {
                assertThat(ended.get()).isTrue();
            }
        }

        assertThat(applied).hasValue(1);
        assertThat(worked()).isEqualTo(1);
    }

    @Test
    void onlyWhatWasReceivedLongAgoIsForgotten() {
        List.of("m-1", "m-2", "m-3").forEach(id -> inbox.receive("billing", id, () -> work(id)));
        jdbc.sql("UPDATE inbox SET received_at = now() - interval '16 d' WHERE message_id <> 'm-3'")
                .update();

        assertThat(inbox.purge(Duration.ofDays(15), 1)).isEqualTo(1);
        assertThat(inbox.purge(Duration.ofDays(15), 10)).isEqualTo(1);
        assertThat(inbox.purge(Duration.ofDays(15), 10)).isZero();
        assertThat(inbox.receive("billing", "m-3", () -> work("m-3"))).isEqualTo(new InboxResult.Duplicate<>());
    }
}
