package com.finedge.once.config;

import com.finedge.once.adapter.json.ChargeDueEventJson;
import com.finedge.once.adapter.json.ChargeOutcomeJson;
import com.finedge.once.adapter.opentelemetry.Traces;
import com.finedge.once.adapter.resilience4j.Circuits;
import com.finedge.once.adapter.sqs.BlockingBatchCalls;
import com.finedge.once.adapter.sqs.SqsMessages;
import com.finedge.once.adapter.sqs.SqsOutcomes;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.camel.ChargeSteps;
import com.finedge.once.camel.EffectSteps;
import com.finedge.once.camel.FailedDeliveries;
import com.finedge.once.camel.GracefulStop;
import com.finedge.once.camel.InFlightMessages;
import com.finedge.once.camel.MessageSteps;
import com.finedge.once.charge.AccountDebitPort;
import com.finedge.once.charge.ChargeListener;
import com.finedge.once.charge.ChargeRecoveryService;
import com.finedge.once.charge.NotificationPort;
import com.finedge.once.charge.OutcomePort;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Heartbeat;
import com.finedge.once.effect.Effects;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The beans that the route recover-charge and its ends name. */
@Configuration(proxyBeanMethods = false)
class ChargeRecoveryConfiguration {

    /** Of the messages copied to the dead-letter queue most lately; a copy more does no harm, so it needn't be many. */
    private static final int REMEMBERED_DEAD_LETTERS = 10_000;

    @Bean
    ChargeRecoveryService chargeRecovery(
            Claims claims,
            AccountDebitPort bank,
            NotificationPort notifications,
            OutcomePort outcomes,
            InstantSource clock,
            ChargesProperties charges) {
        return new ChargeRecoveryService(
                claims, bank, notifications, outcomes, clock, charges.maxAttempts(), charges.backOffs(), randomness());
    }

    @Bean
    OutcomePort outcomePort(
            SqsMessages messages, SqsQueues queues, ChargesProperties charges, AwsProperties aws, Traces traces) {
        String queue = charges.outcomesQueue();
        return queue == null
                ? OutcomePort.NONE
                : traces.outcomes(
                        new SqsOutcomes(
                                messages,
                                queues,
                                queue,
                                new ChargeOutcomeJson()::write,
                                aws.callTimeout(),
                                Traces::attributes),
                        queue);
    }

    @Bean
    ChargeSteps charges(
            ChargeRecoveryService service,
            ChargesProperties properties,
            Heartbeat heartbeat,
            ChargeListener listener,
            InstantSource clock) {
        return new ChargeSteps(
                service, new ChargeDueEventJson(), properties.types(), heartbeat, listener, clock, randomness());
    }

    /** The steps of a team's own effects; they keep to the attempts and back-offs of charges. */
    @Bean
    EffectSteps effects(Claims claims, ChargesProperties properties, ChargeSteps charges, Heartbeat heartbeat) {
        return new EffectSteps(
                new Effects(claims, properties.maxAttempts(), properties.backOffs(), randomness()), charges, heartbeat);
    }

    @Bean
    SqsMessages sqsMessages(SqsClient sqs, AwsProperties aws, ChargesProperties charges) {
        return new SqsMessages(new BlockingBatchCalls(sqs, aws.callTimeout()), charges.flushTimeout());
    }

    @Bean
    MessageSteps messages(
            SqsMessages messages, SqsQueues queues, Heartbeat heartbeat, InstantSource clock, Traces traces) {
        return new MessageSteps(messages, queues, heartbeat, clock, traces);
    }

    @Bean
    InFlightMessages inFlightMessages(ChargesProperties charges, Circuits circuits) {
        return new InFlightMessages(charges.maxInFlight(), new BackEndsBehindCircuits(circuits));
    }

    @Bean
    GracefulStop gracefulStop(
            InFlightMessages inFlight, SqsMessages messages, Heartbeat heartbeat, OnceProperties once) {
        return new GracefulStop(inFlight, messages, heartbeat, once.shutdownGrace());
    }

    @Bean
    FailedDeliveries failedDeliveries(
            SqsMessages messages,
            SqsQueues queues,
            Heartbeat heartbeat,
            ChargesProperties charges,
            ChargeListener listener) {
        return new FailedDeliveries(messages, queues, heartbeat, charges.backOffs(), randomness(), listener);
    }

    // Camel starts and stops it; Spring would close one that a refused start never started.
    @Bean(destroyMethod = "")
    MemoryIdempotentRepository deadLettersSent() {
        MemoryIdempotentRepository sent = new MemoryIdempotentRepository();
        sent.setCacheSize(REMEMBERED_DEAD_LETTERS);
        return sent;
    }

    @Bean
    StartUpChecks startUpChecks(
            OnceProperties once,
            AwsProperties aws,
            ClaimsProperties claims,
            ChargesProperties charges,
            CoreBankingProperties bank,
            OutboxProperties outbox,
            OrdersProperties orders,
            SqsQueues queues,
            ObjectProvider<DynamoDbClient> dynamoDb,
            ObjectProvider<StartCheck> more) {
        return new StartUpChecks(
                once,
                aws,
                claims,
                charges,
                bank,
                outbox,
                orders,
                queues,
                dynamoDb::getObject,
                more.orderedStream().toList());
    }

    private static RandomGenerator randomness() {
        return () -> ThreadLocalRandom.current().nextLong();
    }
}
