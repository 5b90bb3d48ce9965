package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.config.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A template of CloudFormation as the CDK has read and judged it.
 *
 * @param status 0 if nothing is wrong with it
 * @param json the template
 * @param problems what is wrong with it
 */
record Template(int status, String json, String problems) {

    /** What is deployed. */
    static final Path SHIPPED = Path.of("deploy/aws/once.yaml");

    private static final NpmInstall CDK = new NpmInstall("cloudformation", "aws-cdk-lib (CloudFormation)");
    private static final int LIMIT_SECONDS = 120;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** @param folder for what the check says */
    static Template checked(Path file, Path folder) throws IOException, InterruptedException {
        Path output = folder.resolve("template.json");
        Path problems = folder.resolve("problems");
        Process node = new ProcessBuilder(
                        "node",
                        CDK.ensure().resolve("check.js").toString(),
                        file.toAbsolutePath().toString())
                .redirectOutput(output.toFile())
                .redirectError(problems.toFile())
                .start();
        try {
            assertThat(node.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            node.destroyForcibly();
        }
        return new Template(
                node.exitValue(),
                Files.readString(output, StandardCharsets.UTF_8),
                Files.readString(problems, StandardCharsets.UTF_8));
    }

    JsonNode resources() throws IOException {
        return read().path("Resources");
    }

    JsonNode outputs() throws IOException {
        return read().path("Outputs");
    }

    private JsonNode read() throws IOException {
        assertThat(status).as(problems).isZero();
        return JSON.readTree(json);
    }

    /** What the policy of a role is called, for instance {@code ChargeRecoveryPolicy}. */
    static String policy(Role role) {
        return Arrays.stream(role.name().split("_", -1))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining("", "", "Policy"));
    }

    /** Of {@code !GetAtt}, which is written as a list or with a point. */
    static String resourceOf(JsonNode attribute) {
        JsonNode of = attribute.path("Fn::GetAtt");
        return of.isArray() ? of.path(0).asText() : of.asText().replaceFirst("\\..*", "");
    }
}
