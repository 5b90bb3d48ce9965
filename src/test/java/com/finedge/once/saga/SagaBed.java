package com.finedge.once.saga;

import com.finedge.once.adapter.postgres.PostgresInbox;
import com.finedge.once.adapter.postgres.PostgresOutbox;
import com.finedge.once.adapter.postgres.PostgresSagas;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.outbox.OutboxMessage;
import com.finedge.once.retry.BackOff;
import com.finedge.once.saga.SagaEvent.Reply;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** Order sagas on a real database, without queues: a test publishes by hand and answers for the participants. */
final class SagaBed {

    static final String TYPE = Orders.DEFINITION.name();

    final PostgresServer.Database database;
    final JdbcClient owner;
    final AtomicInteger statements = new AtomicInteger();
    final Heard heard = new Heard();

    /** The queues that hold messages, by the test's word. */
    final Set<String> filled = Collections.synchronizedSet(new HashSet<>());

    final JdbcClient jdbc;
    final SagaStore store;
    final Sagas sagas;
    final SagaTimers timers;

    private SagaBed(
            PostgresServer.Database database,
            SagaDefinitions definitions,
            Expressions expressions,
            UnaryOperator<SagaStore> between) {
        this.database = database;
        this.owner = JdbcClient.create(database.ownersDataSource());
        DataSource dataSource = new Counting(database.dataSource(), statements);
        TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
        jdbc = JdbcClient.create(dataSource);
        store = between.apply(new PostgresSagas(jdbc, transactions));
        definitions.all().forEach(store::publish);
        sagas = new Sagas(
                definitions,
                expressions,
                new Transitions(expressions, new Random(1)),
                store,
                new PostgresInbox(jdbc, transactions, (consumer, isNew) -> {}),
                new PostgresOutbox(dataSource),
                new Messages(),
                heard);
        timers = new SagaTimers(
                sagas,
                definitions,
                store,
                queues -> {
                    Set<String> some = new HashSet<>(queues);
                    some.retainAll(filled);
                    return some;
                },
                new BackOff(Duration.ofMinutes(1), Duration.ofMinutes(10)),
                new Random(2),
                heard);
    }

    static SagaBed fresh() {
        return fresh(new PlainExpressions());
    }

    static SagaBed fresh(Expressions expressions) {
        return new SagaBed(
                LocalServices.shared().postgres().fresh().migrated(),
                new SagaDefinitions(List.of(Orders.DEFINITION)),
                expressions,
                UnaryOperator.identity());
    }

    /** On a database that is there. */
    static SagaBed at(PostgresServer.Database database, UnaryOperator<SagaStore> between) {
        return new SagaBed(database, new SagaDefinitions(List.of(Orders.DEFINITION)), new PlainExpressions(), between);
    }

    /** As another process on the same database. */
    SagaBed another(SagaDefinitions definitions, UnaryOperator<SagaStore> between) {
        return new SagaBed(database, definitions, new PlainExpressions(), between);
    }

    /** What the listener was told. */
    static final class Heard implements SagaListener {

        final List<Disposition> decided = Collections.synchronizedList(new ArrayList<>());
        final List<String> alerts = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger repeated = new AtomicInteger();
        final AtomicInteger orphans = new AtomicInteger();
        final AtomicInteger wakesFailed = new AtomicInteger();

        @Override
        public void decided(String sagaType, Disposition disposition) {
            decided.add(disposition);
        }

        @Override
        public void repeated() {
            repeated.incrementAndGet();
        }

        @Override
        public void orphan() {
            orphans.incrementAndGet();
        }

        @Override
        public void wakeFailed() {
            wakesFailed.incrementAndGet();
        }

        @Override
        public void behind(String queue, boolean behind) {
            alerts.add(queue + (behind ? " behind" : " caught up"));
        }
    }

    /** Bodies don't matter here, as nobody reads them. */
    private static final class Messages implements SagaMessages {

        @Override
        public OutboxMessage command(SagaDefinition definition, Saga saga, Command command) {
            return new OutboxMessage(command.messageId(), command.queue(), command.type(), null, Map.of());
        }

        @Override
        public OutboxMessage fact(SagaDefinition definition, Saga saga, Fact fact) {
            return new OutboxMessage(fact.messageId(), fact.queue(), fact.type(), null, Map.of());
        }
    }

    /** Counts the statements. */
    private static final class Counting extends DelegatingDataSource {

        private final AtomicInteger statements;

        Counting(DataSource target, AtomicInteger statements) {
            super(target);
            this.statements = statements;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    Connection.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("prepareStatement")
                                || method.getName().equals("createStatement")) {
                            statements.incrementAndGet();
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    // What a test does

    static UUID id(String orderId) {
        return SagaIds.saga(TYPE, orderId);
    }

    static SagaData placed(String orderId) {
        Map<String, Object> values = new HashMap<>(Orders.PLACED.values());
        values.put("orderId", orderId);
        return new SagaData(values);
    }

    SagaResult start(String orderId) {
        return start("placed:" + orderId, orderId);
    }

    SagaResult start(String messageId, String orderId) {
        return sagas.start(messageId, Orders.DEFINITION, placed(orderId), null);
    }

    static Reply answer(String orderId, String step, Direction direction, ReplyOutcome outcome) {
        return new Reply(SagaIds.command(id(orderId), step, direction), direction, 1, outcome, Orders.ANSWER);
    }

    SagaResult reply(String messageId, String orderId, String step, Direction direction, ReplyOutcome outcome) {
        return sagas.reply(messageId, id(orderId), answer(orderId, step, direction, outcome), "{}");
    }

    SagaResult reply(String orderId, String step, Direction direction, ReplyOutcome outcome) {
        return reply(UUID.randomUUID().toString(), orderId, step, direction, outcome);
    }

    SagaStore.Dossier dossier(String orderId) {
        return store.find(id(orderId)).orElseThrow();
    }

    Saga saga(String orderId) {
        return dossier(orderId).saga();
    }

    List<Disposition> history(String orderId) {
        return dossier(orderId).history().stream()
                .map(SagaStore.Happened::disposition)
                .toList();
    }

    /** The types of the messages that were sent about an order, in their order. */
    List<String> sent(String orderId) {
        Saga saga = saga(orderId);
        Set<String> own = new HashSet<>();
        saga.steps().forEach(step -> {
            own.add(step.forwardCommandId().toString());
            own.add(step.undoCommandId().toString());
        });
        own.add(saga.id().toString());
        return jdbc.sql("SELECT body FROM outbox WHERE split_part(event_id, ':', 1) = ANY (?) ORDER BY id")
                .param(own.toArray(String[]::new))
                .query(String.class)
                .list();
    }

    /** Publishes what is in the outbox; all of it, as if it had been done so long ago. */
    void publish(Duration ago) {
        jdbc.sql("UPDATE outbox SET state = 'SENT', sent_at = now() - ? * interval '1 ms'")
                .param(ago.toMillis())
                .update();
    }

    /** Makes a saga due, as if it had been since so long ago. */
    void due(String orderId, Duration ago) {
        jdbc.sql("UPDATE saga_instance SET wake_at = now() - ? * interval '1 ms' WHERE saga_id = ?")
                .param(ago.toMillis())
                .param(id(orderId))
                .update();
    }
}
