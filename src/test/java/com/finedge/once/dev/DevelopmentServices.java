package com.finedge.once.dev;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.DynamicPropertyRegistrar;
import org.springframework.test.context.support.DynamicPropertyRegistrarBeanInitializer;

/**
 * The services as beans of an application that is started with them: they start before it, tell it where they are, and
 * stop after it.
 *
 * <p>Ports are {@code once.dev.sqs-port}, {@code once.dev.dynamodb-port}, {@code once.dev.core-banking-port} and {@code
 * once.dev.postgres-port}; 0, the default, takes a free one. Names of queues and table are the application's own settings.
 *
 * <p>Not a configuration by annotation: the application's component scan would find it and start the services for every
 * test that wants others.
 */
public class DevelopmentServices {

    /** Runs the registrar before any singleton of the application is made. */
    @Bean
    static DynamicPropertyRegistrarBeanInitializer endpointsFirst() {
        return new DynamicPropertyRegistrarBeanInitializer();
    }

    @Bean
    ElasticMqServer sqsServer(@Value("${once.dev.sqs-port:0}") int port) {
        return ElasticMqServer.start(port);
    }

    @Bean
    DynaliteServer dynamoDbServer(@Value("${once.dev.dynamodb-port:0}") int port) {
        return DynaliteServer.start(port);
    }

    @Bean
    CoreBankingSimulator coreBanking(@Value("${once.dev.core-banking-port:0}") int port) {
        return CoreBankingSimulator.start(port);
    }

    @Bean
    PostgresServer postgresServer(@Value("${once.dev.postgres-port:0}") int port) {
        return PostgresServer.start(port);
    }

    @Bean
    PostgresServer.Database postgresDatabase(PostgresServer postgresServer) {
        return postgresServer.create("once");
    }

    @Bean
    OrderQueues orderQueues(ElasticMqServer sqsServer) {
        try (var sqs = LocalAws.sqs(sqsServer.endpoint())) {
            return OrderQueues.STANDARD.createIn(sqs);
        }
    }

    @Bean
    LocalResources localResources(
            ElasticMqServer sqsServer,
            DynaliteServer dynamoDbServer,
            @Value("${once.charges.queue:charges}") String queue,
            @Value("${once.charges.dead-letter-queue:charges-dlq}") String deadLetterQueue,
            @Value("${once.charges.visibility:60s}") Duration visibility,
            @Value("${once.claims.table:once-claims}") String table,
            @Value("${once.charges.outcomes-queue:}") String outcomesQueue) {
        try (var sqs = LocalAws.sqs(sqsServer.endpoint());
                var dynamoDb = LocalAws.dynamoDb(dynamoDbServer.endpoint())) {
            LocalResources charges = LocalResources.STANDARD.named(queue, deadLetterQueue, table);
            return (outcomesQueue.isEmpty() ? charges : charges.withOutcomesQueue(outcomesQueue))
                    .withVisibility(visibility)
                    .createIn(sqs, dynamoDb);
        }
    }

    /** Depends on the resources, so that they are there before the application is told where to look. */
    @Bean
    DynamicPropertyRegistrar endpoints(
            ElasticMqServer sqsServer,
            DynaliteServer dynamoDbServer,
            CoreBankingSimulator coreBanking,
            PostgresServer.Database postgresDatabase,
            LocalResources localResources,
            OrderQueues orderQueues) {
        return properties -> {
            postgresDatabase.properties().forEach((name, value) -> properties.add(name, () -> value));
            properties.add("once.aws.sqs-endpoint", sqsServer::endpoint);
            properties.add("once.aws.dynamodb-endpoint", dynamoDbServer::endpoint);
            properties.add("once.core-banking.url", coreBanking::endpoint);
            properties.add("once.notifications.url", coreBanking::endpoint);
        };
    }
}
