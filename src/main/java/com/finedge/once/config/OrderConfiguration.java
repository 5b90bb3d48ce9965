package com.finedge.once.config;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.adapter.json.SagaCommandJson;
import com.finedge.once.adapter.json.SagaNoticeJson;
import com.finedge.once.adapter.json.SagaReplyJson;
import com.finedge.once.adapter.payment.HttpPaymentProvider;
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
import com.finedge.once.order.ProviderPayments;
import com.finedge.once.order.Shipping;
import com.finedge.once.outbox.Outbox;
import com.finedge.once.saga.Participant;
import com.finedge.once.saga.ParticipantListener;
import com.finedge.once.saga.ParticipantStore;
import java.net.URI;
import java.time.InstantSource;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.camel.ProducerTemplate;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** The participants of order sagas. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.ORDER_PARTICIPANTS)
class OrderConfiguration {

    @Bean
    ParticipantStore participantStore(JdbcClient jdbc, PlatformTransactionManager transactions, InstantSource clock) {
        return new PostgresParticipantStore(jdbc, new TransactionTemplate(transactions), clock);
    }

    @Bean
    ParticipantSteps participant(
            Inbox inbox,
            ParticipantStore store,
            ParticipantListener listener,
            Outbox outbox,
            OrdersProperties orders,
            PaymentProviderProperties provider,
            InstantSource clock,
            ProducerTemplate routes) {
        return new ParticipantSteps(
                new SagaCommandJson()::read,
                new SagaReplyJson()::write,
                new SagaNoticeJson()::write,
                new Participant(inbox, store, clock, UUID::randomUUID, provider.lease()),
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
    OrderSteps order(
            OrderPolicy policy,
            OrderFacts facts,
            InstantSource clock,
            PaymentProviderProperties provider,
            CloseableHttpClient paymentConnections,
            RestClient.Builder http,
            ObjectMapper json) {
        URI url = provider.url();
        return new OrderSteps(
                new Payments(policy, facts, clock, UUID::randomUUID),
                url == null
                        ? null
                        : new ProviderPayments(
                                policy,
                                new HttpPaymentProvider(
                                        HttpConfiguration.restClient(http, url, paymentConnections), json)),
                new Inventory(policy, facts, clock, UUID::randomUUID),
                new Shipping(policy, facts, clock, UUID::randomUUID),
                new Confirmations(facts, clock));
    }
}
