package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class LocalServicesIT {

    private final LocalServices services = LocalServices.shared();

    @Test
    void theServicesAreStartedOnce() {
        assertThat(LocalServices.shared()).isSameAs(services);
    }

    @Test
    void theResourcesHaveWhatTheApplicationReliesOn() {
        var resources = services.create(LocalResources.STANDARD);

        var charges = attributes(resources.queue());
        var deadLetters = attributes(resources.deadLetterQueue());
        assertThat(resources.queue()).isEqualTo("charges");
        assertThat(charges).containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "60");
        assertThat(charges.get(QueueAttributeName.REDRIVE_POLICY))
                .contains("\"maxReceiveCount\":30", deadLetters.get(QueueAttributeName.QUEUE_ARN));
        var table = services.dynamoDb()
                .describeTable(r -> r.tableName("once-claims"))
                .table();
        assertThat(table.tableStatusAsString()).isEqualTo("ACTIVE");
        assertThat(table.keySchema())
                .singleElement()
                .satisfies(key -> assertThat(key.attributeName()).isEqualTo("pk"));
        assertThat(table.billingModeSummary().billingModeAsString()).isEqualTo("PAY_PER_REQUEST");
    }

    @Test
    void makingTheResourcesAgainLeavesTheirContent() {
        var resources = services.fresh();
        var item = Map.of("pk", AttributeValue.fromS("charge-recovery#CHG-1"));
        services.sqs()
                .sendMessage(
                        r -> r.queueUrl(services.queueUrl(resources.queue())).messageBody("kept"));
        services.dynamoDb().putItem(r -> r.tableName(resources.table()).item(item));

        services.create(resources);

        assertThat(attributes(resources.queue())).containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "1");
        assertThat(services.dynamoDb()
                        .getItem(r -> r.tableName(resources.table()).key(item))
                        .item())
                .isEqualTo(item);
    }

    @Test
    void freshResourcesAreNobodyElses() {
        var one = services.fresh();
        var other = services.fresh();

        assertThat(one.queue()).isNotEqualTo(other.queue());
        assertThat(one.deadLetterQueue()).isNotEqualTo(other.deadLetterQueue());
        assertThat(one.table()).isNotEqualTo(other.table());
    }

    @Test
    void aMessageReceivedTooOftenMovesToTheDeadLetterQueue() {
        var resources = services.create(
                LocalResources.unique().withVisibility(Duration.ofSeconds(1)).withMaxReceiveCount(2));
        String url = services.queueUrl(resources.queue());
        String deadLetterUrl = services.queueUrl(resources.deadLetterQueue());
        services.sqs().sendMessage(r -> r.queueUrl(url).messageBody("poison"));

        Awaitility.await().atMost(Duration.ofSeconds(15)).untilAsserted(() -> {
            services.sqs().receiveMessage(r -> r.queueUrl(url));
            assertThat(services.sqs()
                            .receiveMessage(r -> r.queueUrl(deadLetterUrl))
                            .messages())
                    .singleElement()
                    .satisfies(message -> assertThat(message.body()).isEqualTo("poison"));
        });
    }

    @Test
    void itsPropertiesNameTheServicesAndTheResources() {
        var resources = services.fresh();

        assertThat(services.properties(resources))
                .containsEntry("once.charges.queue", resources.queue())
                .containsEntry("once.claims.table", resources.table())
                .containsEntry(
                        "once.core-banking.url", services.bank().endpoint().toString())
                .containsKeys("once.aws.sqs-endpoint", "once.aws.dynamodb-endpoint", "aws.accessKeyId")
                .containsAllEntriesOf(services.properties());
    }

    @Test
    void aJvmThatHasDoneItsWorkEndsAndItsServicesWithIt() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Worker.class.getName())
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.INHERIT)
                .start();
        try {
            assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(jvm.exitValue()).isZero();
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** A JVM that uses the services and returns from its main method. */
    static final class Worker {

        private Worker() {}

        public static void main(String[] args) {
            LocalServices.shared().fresh();
        }
    }

    private Map<QueueAttributeName, String> attributes(String queue) {
        return services.sqs()
                .getQueueAttributes(r -> r.queueUrl(services.queueUrl(queue)).attributeNames(QueueAttributeName.ALL))
                .attributes();
    }
}
