package com.finedge.once.config;

import com.finedge.once.adapter.sqs.ReceivedMessages;
import com.finedge.once.adapter.sqs.SqsMessages;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.claim.Heartbeat;
import com.finedge.once.deadletter.RedriveOrder;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The AWS clients, each once, for Camel and for us. */
@Configuration(proxyBeanMethods = false)
class AwsConfiguration {

    private static final int SPARE_CONNECTIONS = 16;

    @Bean
    SqsClient sqsClient(
            OnceProperties once,
            AwsProperties aws,
            ChargesProperties charges,
            OrdersProperties orders,
            SagasProperties sagas,
            Heartbeat heartbeat,
            ObjectProvider<SqsMessages> messages) {
        // A long poll is silent for as long as it waits.
        Duration silence = charges.pollWait().plus(aws.callTimeout());
        // A redrive must not wait for the pollers, nor they for it.
        int redrive = once.roles().contains(Role.CONSOLE) ? RedriveOrder.MOST_IN_FLIGHT : 0;
        return connected(SqsClient.builder(), aws, aws.sqsEndpoint())
                .httpClientBuilder(ApacheHttpClient.builder()
                        .maxConnections(
                                charges.pollers() + orders.allPollers() + sagas.pollers() + redrive + SPARE_CONNECTIONS)
                        .socketTimeout(silence))
                .overrideConfiguration(call -> call.apiCallTimeout(silence.plus(aws.callTimeout()))
                        .addExecutionInterceptor(new ReceivedMessages(heartbeat, messages::getObject)))
                .build();
    }

    @Bean
    @ConditionalOnProperty(name = "once.claims.store", havingValue = "dynamodb", matchIfMissing = true)
    DynamoDbClient dynamoDbClient(AwsProperties aws, ChargesProperties charges) {
        // As many connections as messages in flight: a message that waited for one would only wait somewhere else.
        return connected(DynamoDbClient.builder(), aws, aws.dynamodbEndpoint())
                .httpClientBuilder(ApacheHttpClient.builder()
                        .maxConnections(charges.maxInFlight() + SPARE_CONNECTIONS)
                        .socketTimeout(aws.callTimeout()))
                .overrideConfiguration(call -> call.apiCallTimeout(aws.callTimeout()))
                .build();
    }

    @Bean
    SqsQueues sqsQueues(SqsClient sqs) {
        return new SqsQueues(sqs);
    }

    private static <B extends AwsClientBuilder<B, ?>> B connected(
            B builder, AwsProperties aws, @Nullable URI endpoint) {
        builder.region(Region.of(aws.region()));
        return endpoint == null ? builder : builder.endpointOverride(endpoint);
    }
}
