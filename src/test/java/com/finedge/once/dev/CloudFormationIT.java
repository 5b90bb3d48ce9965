package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.finedge.once.config.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made in AWS, as far as it can be checked offline: by the CDK's schemas of the resources. */
class CloudFormationIT {

    @TempDir
    Path folder;

    private JsonNode resources() throws Exception {
        return Template.checked(Template.SHIPPED, folder).resources();
    }

    /** What is found in the template after such a change. */
    private String problemsAfter(String part, String other) throws Exception {
        String shipped = Files.readString(Template.SHIPPED);
        assertThat(shipped).contains(part);
        Path broken = Files.writeString(folder.resolve("once.yaml"), shipped.replaceFirst(Pattern.quote(part), other));

        Template checked = Template.checked(broken, folder);

        assertThat(checked.status()).isNotZero();
        return checked.problems();
    }

    private static List<String> names(JsonNode resources, String type) {
        return resources.properties().stream()
                .filter(resource -> resource.getValue().path("Type").asText().equals(type))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<JsonNode> of(JsonNode resources, String type) {
        return StreamSupport.stream(resources.spliterator(), false)
                .filter(resource -> resource.path("Type").asText().equals(type))
                .map(resource -> resource.path("Properties"))
                .toList();
    }

    @Test
    void theTemplateIsRight() throws Exception {
        Template checked = Template.checked(Template.SHIPPED, folder);

        assertThat(checked.problems()).isEmpty();
        assertThat(checked.status()).isZero();
    }

    @Test
    void aMistypedPropertyIsFound() throws Exception {
        assertThat(problemsAfter("SqsManagedSseEnabled", "SqsManagedSseEnabbled"))
                .contains("SqsManagedSseEnabbled");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "- sqs:SendMessage | - sqs:* | sqs:* is not to be allowed",
                "- sqs:SendMessage | - sqs:PurgeQueue | sqs:PurgeQueue is not to be allowed",
                "- dynamodb:GetItem | - dynamodb:Scan | dynamodb:Scan is not to be allowed",
                "- !GetAtt ChargeOutcomes.Arn | - '*' | the resource \"*\" is not the ARN",
                "- !GetAtt ChargeOutcomes.Arn | - !Sub arn:aws:sqs:*:*:once | is not the ARN",
                "- !GetAtt ChargeOutcomes.Arn | - !GetAtt ChargeOutcomes.QueueName | is not the ARN",
                "Action: | NotAction: | NotAction is not for these policies",
                "Effect: Allow | Effect: Deny | the effect Deny"
            })
    void aPolicyThatAllowsMoreThanActionsOnOurResourcesIsFound(String part, String other, String problem)
            throws Exception {
        assertThat(problemsAfter(part, other)).contains("Policy: ").contains(problem);
    }

    @Test
    void rightsThatAreNoPolicyOfARoleAreFound() throws Exception {
        assertThat(problemsAfter("\nOutputs:\n", "\n  Other:\n    Type: AWS::IAM::Group\nOutputs:\n"))
                .contains("Other: AWS::IAM::Group is not looked into");
    }

    /** Without names of their own: whoever may deploy them needs CAPABILITY_IAM only, and a change may replace one. */
    @Test
    void eachRoleHasAPolicyWhoseArnIsAnOutput() throws Exception {
        Template template = Template.checked(Template.SHIPPED, folder);
        List<String> policies = names(template.resources(), "AWS::IAM::ManagedPolicy");

        assertThat(policies)
                .containsAll(Stream.of(Role.values()).map(Template::policy).toList());
        for (String policy : policies) {
            assertThat(template.outputs().path(policy + "Arn").at("/Value/Ref").asText())
                    .isEqualTo(policy);
            assertThat(template.resources().path(policy).path("Properties").has("ManagedPolicyName"))
                    .as(policy)
                    .isFalse();
        }
    }

    @Test
    void eachQueueHasADeadLetterQueueThatKeepsLongerAndAlarms() throws Exception {
        JsonNode resources = resources();
        List<JsonNode> alarms = of(resources, "AWS::CloudWatch::Alarm");
        List<String> queues = StreamSupport.stream(((Iterable<String>) resources::fieldNames).spliterator(), false)
                .filter(name -> resources.path(name).path("Properties").has("RedrivePolicy"))
                .toList();

        assertThat(queues).hasSize(8);
        for (String name : queues) {
            JsonNode queue = resources.path(name).path("Properties");
            String deadLetters = Template.resourceOf(queue.at("/RedrivePolicy/deadLetterTargetArn"));
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

    private static List<String> alarmsOf(List<JsonNode> alarms, String queue) {
        return alarms.stream()
                .filter(alarm ->
                        Template.resourceOf(alarm.at("/Dimensions/0/Value")).equals(queue))
                .map(alarm -> alarm.path("MetricName").asText())
                .toList();
    }

    @Test
    void claimsCanBeRestoredAndAreForgottenByTimeToLive() throws Exception {
        JsonNode table = of(resources(), "AWS::DynamoDB::Table").getFirst();

        assertThat(table.path("BillingMode").asText()).isEqualTo("PAY_PER_REQUEST");
        assertThat(table.at("/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled")
                        .asBoolean())
                .isTrue();
        assertThat(table.at("/TimeToLiveSpecification/AttributeName").asText()).isEqualTo("expiresAt");
        assertThat(table.at("/SSESpecification/SSEEnabled").asBoolean()).isTrue();
        assertThat(table.at("/KeySchema/0/AttributeName").asText()).isEqualTo("pk");
    }
}
