package com.finedge.once.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.finedge.once.adapter.json.JsonSagaMessages;
import com.finedge.once.adapter.json.OrderJson;
import com.finedge.once.adapter.json.SagaCommandJson;
import com.finedge.once.adapter.json.SagaNoticeJson;
import com.finedge.once.adapter.json.SagaReplyJson;
import com.finedge.once.adapter.postgres.PostgresPlacedOrders;
import com.finedge.once.adapter.postgres.PostgresSagas;
import com.finedge.once.adapter.sqs.SqsQueueDepths;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.adapter.web.OrdersApi;
import com.finedge.once.adapter.yaml.YamlSagaDefinitions;
import com.finedge.once.camel.SagaSteps;
import com.finedge.once.camel.SimpleExpressions;
import com.finedge.once.console.OperatorActions;
import com.finedge.once.console.SagasEndpoint;
import com.finedge.once.contract.OrderPlaced;
import com.finedge.once.inbox.Inbox;
import com.finedge.once.order.Orders;
import com.finedge.once.outbox.Outbox;
import com.finedge.once.saga.InvalidDefinitionException;
import com.finedge.once.saga.SagaCensus;
import com.finedge.once.saga.SagaDefinition;
import com.finedge.once.saga.SagaDefinitions;
import com.finedge.once.saga.SagaListener;
import com.finedge.once.saga.SagaMessages;
import com.finedge.once.saga.SagaStore;
import com.finedge.once.saga.SagaTimers;
import com.finedge.once.saga.Sagas;
import com.finedge.once.saga.Transitions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.apache.camel.CamelContext;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Order sagas: their definitions, what moves them, and the HTTP API to orders; the console looks at them, and does as operators say. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole({Role.ORDER_SAGA, Role.CONSOLE})
class SagaConfiguration {

    @Bean
    SagaDefinitions sagaDefinitions(SagasProperties properties) {
        try {
            List<SagaDefinition> definitions = new ArrayList<>();
            for (Resource file : new PathMatchingResourcePatternResolver().getResources(properties.definitions())) {
                definitions.add(
                        YamlSagaDefinitions.read(String.valueOf(file.getFilename()), file.getContentAsString(UTF_8)));
            }
            return new SagaDefinitions(definitions);
        } catch (InvalidDefinitionException e) {
            throw new StartRefusedException("a definition of a saga isn't valid: " + e.getMessage(), e);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new StartRefusedException("the definitions of sagas don't fit together: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Bean
    SagaStore sagaStore(JdbcClient jdbc, PlatformTransactionManager transactions) {
        return new PostgresSagas(jdbc, new TransactionTemplate(transactions));
    }

    @Bean
    SagaMessages sagaMessages(SagasProperties properties, InstantSource clock) {
        return new JsonSagaMessages(
                properties.queue(""), new SagaCommandJson()::write, new SagaNoticeJson()::write, clock);
    }

    @Bean
    Sagas sagas(
            SagaDefinitions definitions,
            CamelContext camel,
            SagaStore store,
            Inbox inbox,
            Outbox outbox,
            SagaMessages messages,
            SagaListener listener) {
        SimpleExpressions expressions = new SimpleExpressions(camel);
        return new Sagas(
                definitions,
                expressions,
                new Transitions(expressions, randomness()),
                store,
                inbox,
                outbox,
                messages,
                listener);
    }

    @Bean
    @ConditionalOnRole(Role.ORDER_SAGA)
    SagaTimers sagaTimers(
            Sagas sagas,
            SagaDefinitions definitions,
            SagaStore store,
            SqsClient sqs,
            SqsQueues queues,
            SagasProperties properties,
            SagaListener listener) {
        return new SagaTimers(
                sagas,
                definitions,
                store,
                new SqsQueueDepths(sqs, queues, properties.queue("")),
                properties.backOffs(),
                randomness(),
                listener);
    }

    @Bean
    @ConditionalOnRole(Role.ORDER_SAGA)
    SagaSteps saga(Sagas sagas, SagaTimers timers, SagaDefinitions definitions) {
        SagaNoticeJson notices = new SagaNoticeJson();
        return new SagaSteps(sagas, timers, definitions, notices::typeOf, new SagaReplyJson()::read, notices::read);
    }

    @Bean
    @ConditionalOnRole(Role.ORDER_SAGA)
    Orders orders(
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            Sagas sagas,
            SagaDefinitions definitions,
            Outbox outbox,
            SagasProperties properties,
            InstantSource clock) {
        SagaDefinition definition = definitions
                .startedBy(OrderPlaced.TYPE)
                .orElseThrow(() -> new StartRefusedException("there is no definition of a saga that " + OrderPlaced.TYPE
                        + " starts in " + properties.definitions() + " (once.sagas.definitions)"));
        return new Orders(
                new PostgresPlacedOrders(jdbc, new TransactionTemplate(transactions)),
                sagas,
                definition,
                outbox,
                properties.queue(properties.queue()),
                properties.queue(definition.facts().completed().queue()),
                new SagaNoticeJson()::write,
                clock);
    }

    @Bean
    @ConditionalOnRole(Role.ORDER_SAGA)
    RouterFunction<ServerResponse> ordersApi(Orders orders) {
        OrderJson json = new OrderJson();
        return new OrdersApi(orders, json::readRequest, json::write).routes();
    }

    @Bean
    SagasEndpoint sagasEndpoint(Sagas sagas, OperatorActions actions) {
        return new SagasEndpoint(sagas, actions);
    }

    @Bean
    @ConditionalOnRole(Role.ORDER_SAGA)
    HealthIndicator sagaDefinitionsHealthIndicator(Sagas sagas) {
        return () -> {
            SagaCensus census = sagas.count();
            return census.unknown().isEmpty()
                    ? Health.up().build()
                    : Health.down()
                            .withDetail(
                                    "unknown here",
                                    census.unknown().stream()
                                            .map(Object::toString)
                                            .sorted()
                                            .toList())
                            .build();
        };
    }

    /** Before what looks at dead-letter queues: a queue that is the wrong one has the wrong one of these too. */
    @Bean
    @Order(0)
    @ConditionalOnRole(Role.ORDER_SAGA)
    SagaChecks sagaChecks(SagasProperties properties, SagaDefinitions definitions, SagaStore store, SqsQueues queues) {
        return new SagaChecks(properties, definitions, store, queues);
    }

    private static RandomGenerator randomness() {
        return () -> ThreadLocalRandom.current().nextLong();
    }
}
