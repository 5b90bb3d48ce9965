package com.finedge.once.config;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.adapter.postgres.PostgresInbox;
import com.finedge.once.adapter.postgres.PostgresOutbox;
import com.finedge.once.adapter.postgres.PostgresWakeUps;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.adapter.sqs.SqsSender;
import com.finedge.once.adapter.web.ContentTypeFilter;
import com.finedge.once.adapter.web.DescriptionApi;
import com.finedge.once.camel.OutboxSteps;
import com.finedge.once.camel.OutboxStop;
import com.finedge.once.console.OperatorActions;
import com.finedge.once.console.OutboxEndpoint;
import com.finedge.once.inbox.Inbox;
import com.finedge.once.inbox.InboxListener;
import com.finedge.once.outbox.OutboxListener;
import com.finedge.once.outbox.Relay;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.apache.camel.ProducerTemplate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Messages in the transaction of the data they speak of, outward and inward; the console looks at them, and relays nothing. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole({Role.BILLING, Role.ORDER_SAGA, Role.ORDER_PARTICIPANTS, Role.CONSOLE})
class OutboxConfiguration {

    @Bean
    PostgresOutbox postgresOutbox(DataSource dataSource) {
        return new PostgresOutbox(dataSource);
    }

    @Bean
    Inbox inbox(JdbcClient jdbc, PlatformTransactionManager transactions, InboxListener listener) {
        return new PostgresInbox(jdbc, new TransactionTemplate(transactions), listener);
    }

    @Bean
    @ConditionalOnRole({Role.BILLING, Role.ORDER_SAGA, Role.ORDER_PARTICIPANTS})
    Relay relay(
            PostgresOutbox store,
            SqsClient sqs,
            SqsQueues queues,
            AwsProperties aws,
            OutboxProperties outbox,
            OutboxListener listener) {
        return new Relay(
                store,
                new SqsSender(sqs, queues, aws.callTimeout()),
                outbox.batch(),
                outbox.lease(),
                outbox.maxAttempts(),
                outbox.backOffs(),
                UUID::randomUUID,
                () -> ThreadLocalRandom.current().nextLong(),
                listener);
    }

    @Bean
    @ConditionalOnRole({Role.BILLING, Role.ORDER_SAGA, Role.ORDER_PARTICIPANTS})
    OutboxSteps outbox(
            Relay relay,
            PostgresOutbox store,
            OutboxProperties outbox,
            Inbox inbox,
            InboxProperties inboxProperties,
            ProducerTemplate routes) {
        return new OutboxSteps(relay, store, outbox.retention(), inbox, inboxProperties.retention(), routes);
    }

    /** Of each role that has an API. */
    @Bean
    @ConditionalOnRole({Role.BILLING, Role.ORDER_SAGA, Role.ORDER_PARTICIPANTS})
    RouterFunction<ServerResponse> descriptionApi() {
        return new DescriptionApi().routes();
    }

    @Bean
    @ConditionalOnRole({Role.BILLING, Role.ORDER_SAGA, Role.ORDER_PARTICIPANTS})
    ContentTypeFilter contentTypeFilter(ObjectMapper json) {
        return new ContentTypeFilter(json);
    }

    @Bean
    OutboxEndpoint outboxEndpoint(PostgresOutbox store, OperatorActions actions) {
        return new OutboxEndpoint(store, actions);
    }

    @Bean(destroyMethod = "")
    @ConditionalOnRole({Role.BILLING, Role.ORDER_SAGA, Role.ORDER_PARTICIPANTS})
    PostgresWakeUps wakeUps(DataSource dataSource, OutboxSteps outbox) {
        return new PostgresWakeUps(dataSource, outbox::wake);
    }

    @Bean
    @ConditionalOnRole({Role.BILLING, Role.ORDER_SAGA, Role.ORDER_PARTICIPANTS})
    OutboxStop outboxStop(PostgresWakeUps wakeUps, Relay relay, OnceProperties once) {
        return new OutboxStop(wakeUps, relay, once.shutdownGrace());
    }
}
