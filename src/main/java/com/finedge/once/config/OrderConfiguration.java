package com.finedge.once.config;

import com.finedge.once.adapter.json.SagaCommandJson;
import com.finedge.once.adapter.json.SagaNoticeJson;
import com.finedge.once.adapter.json.SagaReplyJson;
import com.finedge.once.adapter.postgres.PostgresOrderFacts;
import com.finedge.once.adapter.postgres.PostgresParticipantStore;
import com.finedge.once.adapter.web.ShipmentsApi;
import com.finedge.once.camel.OrderSteps;
import com.finedge.once.camel.ParticipantSteps;
import com.finedge.once.inbox.Inbox;
import com.finedge.once.order.Confirmations;
import com.finedge.once.order.Dispatches;
import com.finedge.once.order.Inventory;
import com.finedge.once.order.OrderFacts;
import com.finedge.once.order.OrderPolicy;
import com.finedge.once.order.Payments;
import com.finedge.once.order.Shipping;
import com.finedge.once.outbox.Outbox;
import com.finedge.once.saga.Participant;
import com.finedge.once.saga.ParticipantListener;
import com.finedge.once.saga.ParticipantStore;
import java.time.InstantSource;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.camel.ProducerTemplate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** The participants of order sagas. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.ORDER_PARTICIPANTS)
class OrderConfiguration {

    @Bean
    ParticipantStore participantStore(JdbcClient jdbc, InstantSource clock) {
        return new PostgresParticipantStore(jdbc, clock);
    }

    @Bean
    ParticipantSteps participant(
            Inbox inbox,
            ParticipantStore store,
            ParticipantListener listener,
            Outbox outbox,
            OrdersProperties orders,
            InstantSource clock,
            ProducerTemplate routes) {
        return new ParticipantSteps(
                new SagaCommandJson()::read,
                new SagaReplyJson()::write,
                new SagaNoticeJson()::write,
                new Participant(inbox, store),
                listener,
                outbox,
                orders.eventsQueue(),
                clock,
                routes);
    }

    @Bean
    OrderPolicy orderPolicy() {
        return OrderPolicy.ACCEPTING;
    }

    @Bean
    PostgresOrderFacts orderFacts(DataSource dataSource) {
        return new PostgresOrderFacts(dataSource);
    }

    @Bean
    RouterFunction<ServerResponse> shipmentsApi(Dispatches dispatches, InstantSource clock) {
        return new ShipmentsApi(dispatches, clock).routes();
    }

    @Bean
    OrderSteps order(OrderPolicy policy, OrderFacts facts, InstantSource clock) {
        return new OrderSteps(
                new Payments(policy, facts, clock, UUID::randomUUID),
                new Inventory(policy, facts, clock, UUID::randomUUID),
                new Shipping(policy, facts, clock, UUID::randomUUID),
                new Confirmations(facts, clock));
    }
}
