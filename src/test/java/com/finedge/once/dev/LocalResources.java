package com.finedge.once.dev;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * The queues and the table that Once expects to find; only development and tests make them by code.
 *
 * @param queue name of the queue of due charges
 * @param deadLetterQueue name of its dead-letter queue
 * @param outcomesQueue name of the queue of the ends of charges, if there is to be one; its dead-letter queue is made too
 * @param table name of the table of claims
 * @param visibility how long a received message stays hidden, in whole seconds
 * @param maxReceiveCount after so many receives a message moves to the dead-letter queue
 */
public record LocalResources(
        String queue,
        String deadLetterQueue,
        @Nullable String outcomesQueue,
        String table,
        Duration visibility,
        int maxReceiveCount) {

    /** What the application uses when nothing else is configured. */
    public static final LocalResources STANDARD =
            new LocalResources("charges", "charges-dlq", null, "once-claims", Duration.ofSeconds(60), 30);

    // As in production, though ElasticMQ keeps messages for good.
    private static final Duration QUEUE_RETENTION = Duration.ofDays(4);
    private static final Duration DEAD_LETTER_RETENTION = Duration.ofDays(14);

    private static final Duration TABLE_POLL = Duration.ofMillis(50);
    private static final int TABLE_POLLS = 200;

    /** The standard ones under names that nobody else uses. */
    public static LocalResources unique() {
        String suffix = "-" + UUID.randomUUID().toString().substring(0, 8);
        return STANDARD.named("charges" + suffix, "charges-dlq" + suffix, "once-claims" + suffix);
    }

    /** The same under other names. */
    public LocalResources named(String queue, String deadLetterQueue, String table) {
        return new LocalResources(queue, deadLetterQueue, outcomesQueue, table, visibility, maxReceiveCount);
    }

    /** The same with a queue of that name for the ends of charges. */
    public LocalResources withOutcomesQueue(String outcomesQueue) {
        return new LocalResources(queue, deadLetterQueue, outcomesQueue, table, visibility, maxReceiveCount);
    }

    /** The same with another visibility timeout. */
    public LocalResources withVisibility(Duration visibility) {
        return new LocalResources(queue, deadLetterQueue, outcomesQueue, table, visibility, maxReceiveCount);
    }

    /** The same with another number of receives before the dead-letter queue. */
    public LocalResources withMaxReceiveCount(int maxReceiveCount) {
        return new LocalResources(queue, deadLetterQueue, outcomesQueue, table, visibility, maxReceiveCount);
    }

    /** Makes what isn't there yet; what is there stays with its content. */
    public LocalResources createIn(SqsClient sqs, DynamoDbClient dynamoDb) {
        createQueues(sqs, queue, deadLetterQueue, visibility, maxReceiveCount);
        if (outcomesQueue != null) {
            createQueues(sqs, outcomesQueue, outcomesQueue + "-dlq", visibility, maxReceiveCount);
        }
        createTable(dynamoDb);
        return this;
    }

    static void createQueues(SqsClient sqs, String name, String deadLetters, Duration visibility, int maxReceiveCount) {
        String deadLetterUrl = createQueue(
                sqs, deadLetters, Map.of(QueueAttributeName.MESSAGE_RETENTION_PERIOD, seconds(DEAD_LETTER_RETENTION)));
        createQueue(
                sqs,
                name,
                Map.of(
                        QueueAttributeName.VISIBILITY_TIMEOUT,
                        seconds(visibility),
                        QueueAttributeName.MESSAGE_RETENTION_PERIOD,
                        seconds(QUEUE_RETENTION),
                        QueueAttributeName.REDRIVE_POLICY,
                        "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":\"%d\"}"
                                .formatted(arn(sqs, deadLetterUrl), maxReceiveCount)));
    }

    /** The application's settings that name these resources. */
    public Map<String, String> properties() {
        return Map.of(
                "once.charges.queue", queue,
                "once.charges.dead-letter-queue", deadLetterQueue,
                "once.charges.outcomes-queue", outcomesQueue == null ? "" : outcomesQueue,
                "once.charges.visibility", visibility.toSeconds() + "s",
                "once.claims.table", table);
    }

    private static String createQueue(SqsClient sqs, String name, Map<QueueAttributeName, String> attributes) {
        return sqs.createQueue(r -> r.queueName(name).attributes(attributes)).queueUrl();
    }

    private static String arn(SqsClient sqs, String queueUrl) {
        return Objects.requireNonNull(
                sqs.getQueueAttributes(r -> r.queueUrl(queueUrl).attributeNames(QueueAttributeName.QUEUE_ARN))
                        .attributes()
                        .get(QueueAttributeName.QUEUE_ARN));
    }

    private void createTable(DynamoDbClient dynamoDb) {
        try {
            dynamoDb.createTable(r -> r.tableName(table)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(AttributeDefinition.builder()
                            .attributeName("pk")
                            .attributeType(ScalarAttributeType.S)
                            .build())
                    .keySchema(KeySchemaElement.builder()
                            .attributeName("pk")
                            .keyType(KeyType.HASH)
                            .build()));
        } catch (ResourceInUseException alreadyThere) {
            // Made by an earlier run.
        }
        // The SDK's own waiter looks again after 20 s only, when the table isn't ready at its first look.
        try (var waiter = DynamoDbWaiter.builder()
                .client(dynamoDb)
                .overrideConfiguration(o -> o.backoffStrategyV2(BackoffStrategy.fixedDelayWithoutJitter(TABLE_POLL))
                        .maxAttempts(TABLE_POLLS))
                .build()) {
            waiter.waitUntilTableExists(r -> r.tableName(table));
        }
    }

    private static String seconds(Duration duration) {
        return Long.toString(duration.toSeconds());
    }
}
