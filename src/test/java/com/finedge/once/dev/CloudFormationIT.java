package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made in AWS, as far as it can be checked offline: by the CDK's schemas of the resources. */
class CloudFormationIT {

    private static final Path TEMPLATE = Path.of("deploy/aws/once.yaml");
    private static final NpmInstall CDK = new NpmInstall("cloudformation", "aws-cdk-lib (CloudFormation)");
    private static final int LIMIT_SECONDS = 120;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private record Checked(int status, String template, String problems) {

        JsonNode resources() throws Exception {
            assertThat(status).as(problems).isZero();
            return JSON.readTree(template).path("Resources");
        }
    }

    private Checked check(Path template) throws Exception {
        Path output = folder.resolve("template.json");
        Path problems = folder.resolve("problems");
        Process node = new ProcessBuilder(
                        "node",
                        CDK.ensure().resolve("check.js").toString(),
                        template.toAbsolutePath().toString())
                .redirectOutput(output.toFile())
                .redirectError(problems.toFile())
                .start();
        try {
            assertThat(node.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            node.destroyForcibly();
        }
        return new Checked(
                node.exitValue(),
                Files.readString(output, StandardCharsets.UTF_8),
                Files.readString(problems, StandardCharsets.UTF_8));
    }

    private static List<JsonNode> of(JsonNode resources, String type) {
        return StreamSupport.stream(resources.spliterator(), false)
                .filter(resource -> resource.path("Type").asText().equals(type))
                .map(resource -> resource.path("Properties"))
                .toList();
    }

    @Test
    void theTemplateIsRight() throws Exception {
        Checked checked = check(TEMPLATE);

        assertThat(checked.problems()).isEmpty();
        assertThat(checked.status()).isZero();
    }

    @Test
    void aMistypedPropertyIsFound() throws Exception {
        Path broken = folder.resolve("once.yaml");
        Files.writeString(
                broken, Files.readString(TEMPLATE).replaceFirst("SqsManagedSseEnabled", "SqsManagedSseEnabbled"));

        Checked checked = check(broken);

        assertThat(checked.status()).isNotZero();
        assertThat(checked.problems()).contains("SqsManagedSseEnabbled");
    }

    @Test
    void eachQueueHasADeadLetterQueueThatKeepsLongerAndAlarms() throws Exception {
        JsonNode resources = check(TEMPLATE).resources();
        List<JsonNode> alarms = of(resources, "AWS::CloudWatch::Alarm");
        List<String> queues = StreamSupport.stream(((Iterable<String>) resources::fieldNames).spliterator(), false)
                .filter(name -> resources.path(name).path("Properties").has("RedrivePolicy"))
                .toList();

        assertThat(queues).hasSize(8);
        for (String name : queues) {
            JsonNode queue = resources.path(name).path("Properties");
            String deadLetters = resourceOf(queue.at("/RedrivePolicy/deadLetterTargetArn"));
            assertThat(resources
                            .at("/" + deadLetters + "/Properties/MessageRetentionPeriod")
                            .asInt())
                    .as(name)
                    .isGreaterThan(queue.path("MessageRetentionPeriod").asInt());
            assertThat(alarmsOf(alarms, deadLetters))
                    .as(name)
                    .containsExactlyInAnyOrder("ApproximateNumberOfMessagesVisible", "ApproximateAgeOfOldestMessage");
            assertThat(alarmsOf(alarms, name)).as(name).containsExactly("ApproximateAgeOfOldestMessage");
        }
    }

    /** Of {@code !GetAtt}, which is written as a list or with a point. */
    private static String resourceOf(JsonNode attribute) {
        JsonNode of = attribute.path("Fn::GetAtt");
        return of.isArray() ? of.path(0).asText() : of.asText().replaceFirst("\\..*", "");
    }

    private static List<String> alarmsOf(List<JsonNode> alarms, String queue) {
        return alarms.stream()
                .filter(alarm -> resourceOf(alarm.at("/Dimensions/0/Value")).equals(queue))
                .map(alarm -> alarm.path("MetricName").asText())
                .toList();
    }

    @Test
    void claimsCanBeRestoredAndAreForgottenByTimeToLive() throws Exception {
        JsonNode table = of(check(TEMPLATE).resources(), "AWS::DynamoDB::Table").getFirst();

        assertThat(table.path("BillingMode").asText()).isEqualTo("PAY_PER_REQUEST");
        assertThat(table.at("/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled")
                        .asBoolean())
                .isTrue();
        assertThat(table.at("/TimeToLiveSpecification/AttributeName").asText()).isEqualTo("expiresAt");
        assertThat(table.at("/SSESpecification/SSEEnabled").asBoolean()).isTrue();
        assertThat(table.at("/KeySchema/0/AttributeName").asText()).isEqualTo("pk");
    }
}
