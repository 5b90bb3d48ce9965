package com.finedge.once.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.contract.OrderPlaced;
import com.finedge.once.contract.SagaMessage;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderAudit;
import com.finedge.once.dev.OrderFaults;
import com.finedge.once.dev.OrderFaults.Fault;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.dev.ShortTimeouts;
import com.finedge.once.order.ForgetfulParticipantStore;
import com.finedge.once.order.OrderRequest;
import com.finedge.once.support.Queue;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A payment that times out and is taken after all, too late and without its answer coming through: by the rules, and with
 * one of them taken away. The audit that the crash and chaos tests end with must see the difference.
 */
class TakenAwayIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String ORDER = "O-1";

    private final OrderQueues queues = OrderQueues.unique().createIn(SERVICES.sqs());
    private final PostgresServer.Database database = SERVICES.postgres().fresh().migrated();
    private final JdbcClient owner = JdbcClient.create(database.ownersDataSource());
    private final Queue payments = Queue.named(SERVICES.sqs(), queues.commands("payment"));
    private final OrderAudit audit = new OrderAudit(database, Queue.named(SERVICES.sqs(), queues.events()));

    /** A mutant: participants leave no tombstones. */
    private static final class Forgetful implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof ParticipantStore store ? new ForgetfulParticipantStore(store) : bean;
        }
    }

    @FunctionalInterface
    private interface Timers {
        void wake(RunningOnce once);
    }

    private static void wake(RunningOnce once) {
        once.bean(SagaTimers.class).wake();
    }

    /** A mutant: a step that isn't answered in time is taken for one that was refused. */
    private static void takeSilenceForARefusal(RunningOnce once) {
        SagaStore store = once.bean(SagaStore.class);
        store.inTransaction(() -> store.lockDue(once.bean(SagaDefinitions.class).keys())
                .map(due -> {
                    Step silent = due.saga().step("payment");
                    return once.bean(Sagas.class)
                            .reply(
                                    "silence",
                                    due.saga().id(),
                                    new SagaEvent.Reply(
                                            silent.forwardCommandId(),
                                            Direction.DO,
                                            silent.forwardAttempts(),
                                            ReplyOutcome.REFUSED,
                                            SagaData.EMPTY),
                                    "");
                })
                .orElseThrow());
    }

    private List<String> violations(Timers timers, Class<?>... mutations) {
        Map<String, String> settings = new HashMap<>(SERVICES.properties());
        settings.putAll(database.properties());
        settings.putAll(queues.properties());
        settings.put("once.roles", "order-saga,order-participants");
        settings.put("once.sagas.queue-prefix", queues.prefix());
        settings.put("once.sagas.definitions", ShortTimeouts.definitions(Duration.ofMinutes(2), 0));
        // The test says when time has gone by.
        settings.put("once.sagas.timer", "1h");
        RunningOnce once = RunningOnce.start(settings, mutations);
        try {
            OrderFaults faults = once.bean(OrderFaults.class);
            faults.set(ORDER, "payment", SagaMessage.Direction.DO, new Fault.Silence());
            once.bean(com.finedge.once.order.Orders.class)
                    .place(
                            new OrderRequest(ORDER, "C-1", "19.90", "EUR", List.of(new OrderPlaced.Item("S-1", 2))),
                            null,
                            null);
            await().atMost(LONGEST).until(() -> audit.sagas() == 1 && audit.unsent() == 0 && payments.size() == 0);
            String command = owner.sql("SELECT body FROM outbox WHERE body LIKE '%TakePayment%'")
                    .query(String.class)
                    .single();
            owner.sql("UPDATE outbox SET sent_at = sent_at - interval '1 h'").update();
            owner.sql("UPDATE saga_instance SET wake_at = now()").update();
            timers.wake(once);
            await().atMost(LONGEST).until(() -> audit.ended("CANCELLED") == 1 && audit.unsent() == 0);

            faults.clear(ORDER, "payment", SagaMessage.Direction.DO);
            payments.send(command.replace(
                    '"' + queues.replies() + '"', '"' + OrderQueues.deadLetters(queues.replies()) + '"'));
            Queue answers = Queue.named(SERVICES.sqs(), OrderQueues.deadLetters(queues.replies()));
            await().atMost(LONGEST).until(() -> answers.size() == 1 && audit.unsent() == 0);
        } finally {
            once.close();
        }
        return audit.violations();
    }

    @Test
    void byTheRulesNothingIsTakenTooLate() {
        assertThat(violations(TakenAwayIT::wake, OrderFaults.class)).isEmpty();
        assertThat(audit.transitions("TIMED_OUT")).isEqualTo(1);
        assertThat(audit.rows(ORDER)).containsEntry("payment", 0);
    }

    @Test
    void withoutTombstonesACustomerIsChargedAndNeverRefunded() {
        assertThat(violations(TakenAwayIT::wake, OrderFaults.class, Forgetful.class))
                .containsExactly(ORDER + " was cancelled, and its customer charged and never refunded");
    }

    @Test
    void whereSilenceIsARefusalACustomerIsChargedAndNeverRefunded() {
        assertThat(violations(TakenAwayIT::takeSilenceForARefusal, OrderFaults.class))
                .containsExactly(ORDER + " was cancelled, and its customer charged and never refunded");
    }
}
