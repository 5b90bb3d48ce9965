package com.finedge.once.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.finedge.once.contract.OrderPlaced;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.order.OrderRequest;
import com.finedge.once.order.Orders;
import com.finedge.once.outbox.Relay;
import com.finedge.once.saga.SagaTimers;
import com.finedge.once.support.ConsoleSession;
import com.finedge.once.support.Operators;
import com.finedge.once.support.RunningOnce;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The console as a process of its own: it shows and moves what other processes run. */
class ConsoleAloneIT {

    private static final LocalServices SERVICES = LocalServices.shared();

    @Test
    void aConsoleAloneShowsTheOutboxAndTheSagasOfOthersAndRelaysNothingItself() {
        PostgresServer.Database database = SERVICES.postgres().fresh();
        JdbcClient jdbc = JdbcClient.create(database.ownersDataSource());
        OrderQueues queues = OrderQueues.unique().createIn(SERVICES.sqs());
        Map<String, String> settings = new HashMap<>(SERVICES.properties(SERVICES.fresh()));
        settings.putAll(database.properties());
        settings.putAll(queues.properties());
        settings.putAll(Operators.SETTINGS);
        settings.put("once.sagas.queue-prefix", queues.prefix());
        Map<String, String> sagas = new HashMap<>(settings);
        sagas.put("once.roles", "order-saga");
        settings.put("once.roles", "console");

        try (RunningOnce other = RunningOnce.start(sagas);
                RunningOnce console = RunningOnce.start(settings);
                ConsoleSession operator = new ConsoleSession(console.managementUrl()).as(Operators.OPERATOR)) {
            other.bean(Orders.class)
                    .place(
                            new OrderRequest("O-1", "C-1", "19.90", "EUR", List.of(new OrderPlaced.Item("SKU-1", 1))),
                            null,
                            null);
            await().until(() -> other.bean(Orders.class).saga("O-1").isPresent());
            String sagaId = other.bean(Orders.class)
                    .saga("O-1")
                    .orElseThrow()
                    .saga()
                    .id()
                    .toString();
            jdbc.sql(
                            "INSERT INTO outbox (event_id, queue, body, state, last_error) VALUES ('e-1', 'q', 'b', 'PARKED', 'no such queue')")
                    .update();

            assertThatThrownBy(() -> console.bean(Relay.class)).isInstanceOf(NoSuchBeanDefinitionException.class);
            assertThatThrownBy(() -> console.bean(SagaTimers.class)).isInstanceOf(NoSuchBeanDefinitionException.class);
            assertThat(operator.get("/console/outbox").body()).contains("e-1", "no such queue");
            assertThat(operator.get("/console/sagas/" + sagaId).body()).contains("O-1", "payment pending");

            HttpResponse<String> parked = operator.submit(
                    "/console/sagas/" + sagaId + "/park",
                    "/console/sagas/" + sagaId + "/park",
                    Map.of("reason", "payment doesn't answer"));

            assertThat(parked.statusCode()).isEqualTo(303);
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> jdbc.sql("SELECT parked FROM saga_instance WHERE business_key = 'O-1'")
                            .query(Boolean.class)
                            .single());
            assertThat(jdbc.sql("SELECT count(*) FROM operator_action WHERE why = 'payment doesn''t answer'")
                            .query(Integer.class)
                            .single())
                    .isEqualTo(1);
        }
    }
}
