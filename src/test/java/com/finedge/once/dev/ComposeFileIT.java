package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.config.AwsProperties;
import com.finedge.once.config.CoreBankingProperties;
import com.finedge.once.config.NotificationsProperties;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.PropertyPlaceholderHelper;

/** What Docker users start, as far as it can be checked without Docker: by a linter of Compose files. */
class ComposeFileIT {

    private static final Path COMPOSE = Path.of("docker-compose.yml");
    private static final Path AWS_INIT = Path.of("build/aws-init");
    private static final NpmInstall LINTER = new NpmInstall("compose", "dclint (Docker Compose)");
    private static final int LIMIT_SECONDS = 60;

    private static final String UNIT_SEPARATOR = "\u001f";
    private static final String RECORD_SEPARATOR = "\u001e";

    /** Writes down how it is called, and answers as if there was nothing yet. */
    private static final String RECORDING_AWS = """
            #!/bin/sh
            { printf '%s\\037' "$@"; printf '\\036'; } >> "$CALLS"
            case "$*" in
              *get-queue-url*charge-outcomes*) echo http://aws:4566/charge-outcomes-dlq ;;
              *get-queue-url*) echo http://aws:4566/charges-dlq ;;
              *get-queue-attributes*charge-outcomes*) echo arn:aws:sqs:eu-west-1:000000000000:charge-outcomes-dlq ;;
              *get-queue-attributes*) echo arn:aws:sqs:eu-west-1:000000000000:charges-dlq ;;
              *describe-table*) exit 254 ;;
            esac
            """;

    @TempDir
    Path folder;

    @Test
    void theComposeFileIsRight() throws Exception {
        assertThat(lint(COMPOSE)).isEqualTo(new Ended(0, ""));
    }

    @Test
    void anUnknownKeyIsFound() throws Exception {
        String compose = Files.readString(COMPOSE);
        assertThat(compose).contains("    healthcheck:");
        Path broken = folder.resolve("docker-compose.yml");
        Files.writeString(broken, compose.replaceFirst(" {4}healthcheck:", "    healthchek:"));

        Ended linted = lint(broken);

        assertThat(linted.status()).isNotZero();
        assertThat(linted.output()).contains("/services/app", "additional properties");
    }

    @Test
    void portsAreOpenToThisMachineOnly() throws Exception {
        List<String> ports = services().values().stream()
                .flatMap(service -> list(service, "ports").stream())
                .toList();

        assertThat(ports).isNotEmpty().allSatisfy(port -> assertThat(port).startsWith("127.0.0.1:"));
    }

    @Test
    void theApplicationReadsWhatItsEnvironmentSays() throws Exception {
        Map<String, Object> environment = environmentOf("app");
        Binder binder = new Binder(ConfigurationPropertySources.from(
                new SystemEnvironmentPropertySource("systemEnvironment", environment)));

        AwsProperties aws = binder.bind("once.aws", AwsProperties.class).get();
        assertThat(aws.sqsEndpoint()).isEqualTo(URI.create("http://aws:4566"));
        assertThat(aws.dynamodbEndpoint()).isEqualTo(URI.create("http://aws:4566"));
        assertThat(binder.bind("once.core-banking", CoreBankingProperties.class)
                        .get()
                        .url())
                .isEqualTo(URI.create("http://host.docker.internal:8090"));
        assertThat(binder.bind("once.notifications", NotificationsProperties.class)
                        .get()
                        .url())
                .isEqualTo(URI.create("http://host.docker.internal:8090"));
    }

    @Test
    void theEmulatorGetsTheResourcesThatDevelopmentHas() throws Exception {
        List<List<String>> calls = callsOfAwsInit();

        for (String name : List.of(
                LocalResources.STANDARD.queue(),
                String.valueOf(environmentOf("app").get("ONCE_CHARGES_OUTCOMES_QUEUE")))) {
            JsonNode queue = new ObjectMapper().readTree(after("--attributes", call(calls, "create-queue", name)));
            assertThat(queue.get("VisibilityTimeout").asText())
                    .isEqualTo(seconds(LocalResources.STANDARD.visibility()));
            assertThat(queue.get("MessageRetentionPeriod").asText()).isEqualTo(seconds(Duration.ofDays(4)));
            JsonNode redrive =
                    new ObjectMapper().readTree(queue.get("RedrivePolicy").asText());
            assertThat(redrive.get("maxReceiveCount").asInt()).isEqualTo(LocalResources.STANDARD.maxReceiveCount());
            assertThat(redrive.get("deadLetterTargetArn").asText())
                    .isEqualTo("arn:aws:sqs:eu-west-1:000000000000:" + name + "-dlq");
            assertThat(after("--attributes", call(calls, "create-queue", name + "-dlq")))
                    .isEqualTo("MessageRetentionPeriod=" + seconds(Duration.ofDays(14)));
        }
        assertThat(OrderQueues.STANDARD.all()).allSatisfy(queue -> {
            call(calls, "create-queue", queue);
            call(calls, "create-queue", OrderQueues.deadLetters(queue));
        });
        assertThat(after("--key-schema", call(calls, "create-table", LocalResources.STANDARD.table())))
                .isEqualTo("AttributeName=pk,KeyType=HASH");
        assertThat(after(
                        "--time-to-live-specification",
                        call(calls, "update-time-to-live", LocalResources.STANDARD.table())))
                .isEqualTo("Enabled=true,AttributeName=expiresAt");
        assertThat(calls).allSatisfy(call -> assertThat(call).startsWith("--endpoint-url", "http://aws:4566"));
    }

    @Test
    void theDatabaseIsTheOneThatTheApplicationAsksFor() throws Exception {
        Map<String, Object> app = environmentOf("app");
        Map<String, Object> db = environmentOf("db");

        assertThat(app.get("SPRING_DATASOURCE_URL")).isEqualTo("jdbc:postgresql://db:5432/" + db.get("POSTGRES_DB"));
        assertThat(app.get("SPRING_FLYWAY_USER")).isEqualTo(db.get("POSTGRES_USER"));
        assertThat(app.get("SPRING_FLYWAY_PASSWORD")).isEqualTo(db.get("POSTGRES_PASSWORD"));
        assertThat(Files.readString(Path.of("build/postgres-init.sql")))
                .contains("CREATE ROLE %s LOGIN PASSWORD '%s'"
                        .formatted(app.get("SPRING_DATASOURCE_USERNAME"), app.get("SPRING_DATASOURCE_PASSWORD")));
    }

    private record Ended(int status, String output) {}

    private static Ended lint(Path file) throws Exception {
        return run(
                Map.of(),
                "node",
                LINTER.ensure().resolve("node_modules/.bin/dclint").toString(),
                file.toString(),
                "--color=false",
                "--max-warnings=0");
    }

    private List<List<String>> callsOfAwsInit() throws Exception {
        Path aws = Files.writeString(folder.resolve("aws"), RECORDING_AWS);
        Files.setPosixFilePermissions(aws, PosixFilePermissions.fromString("rwx------"));
        Path calls = folder.resolve("calls");
        Map<String, String> environment = new LinkedHashMap<>();
        environmentOf("aws-init").forEach((name, value) -> environment.put(name, value.toString()));
        environment.put("PATH", folder + ":" + System.getenv("PATH"));
        environment.put("CALLS", calls.toString());

        Ended ended = run(environment, "/bin/sh", AWS_INIT.toString());

        assertThat(ended.status()).as(ended.output()).isZero();
        return Arrays.stream(Files.readString(calls).split(RECORD_SEPARATOR))
                .map(call -> List.of(call.split(UNIT_SEPARATOR)))
                .toList();
    }

    private static List<String> call(List<List<String>> calls, String... words) {
        return calls.stream()
                .filter(call -> call.containsAll(List.of(words)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no call with " + Arrays.toString(words) + " in " + calls));
    }

    private static String after(String option, List<String> call) {
        return call.get(call.indexOf(option) + 1);
    }

    private static String seconds(Duration duration) {
        return Long.toString(duration.toSeconds());
    }

    private static Ended run(Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            return new Ended(process.exitValue(), output.strip());
        } finally {
            process.destroyForcibly();
        }
    }

    /** As Compose hands it over when nothing is set outside. */
    private static Map<String, Object> environmentOf(String service) throws IOException {
        PropertyPlaceholderHelper defaults = new PropertyPlaceholderHelper("${", "}", ":-", null, false);
        Map<String, Object> environment = new LinkedHashMap<>();
        if (services().get(service) instanceof Map<?, ?> map && map.get("environment") instanceof Map<?, ?> set) {
            set.forEach((name, value) ->
                    environment.put(name.toString(), defaults.replacePlaceholders(value.toString(), unset -> null)));
        }
        return environment;
    }

    private static Map<String, Object> services() throws IOException {
        Map<String, Object> services = new LinkedHashMap<>();
        Object compose = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(COMPOSE));
        if (compose instanceof Map<?, ?> map && map.get("services") instanceof Map<?, ?> all) {
            all.forEach((name, service) -> services.put(name.toString(), service));
        }
        return services;
    }

    private static List<String> list(Object service, String key) {
        List<String> values = new ArrayList<>();
        if (service instanceof Map<?, ?> map && map.get(key) instanceof List<?> list) {
            list.forEach(value -> values.add(value.toString()));
        }
        return values;
    }
}
