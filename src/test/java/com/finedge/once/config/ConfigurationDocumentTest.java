package com.finedge.once.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.adapter.opentelemetry.ExportedSpans;
import com.finedge.once.metrics.MeterNames;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** docs/configuration.md against the metadata that the compiler generates from the property records. */
class ConfigurationDocumentTest {

    private static final Path DOCUMENT = Path.of("docs/configuration.md");
    private static final Path METADATA = Path.of("target/classes/META-INF/spring-configuration-metadata.json");

    /** An emulator's address has no default: without one the region's own is used. */
    private static final Set<String> WITHOUT_DEFAULT = Set.of(
            "once.aws.sqs-endpoint",
            "once.aws.dynamodb-endpoint",
            "once.charges.outcomes-queue",
            "once.console.users",
            "once.hawtio",
            "once.orders.payment-provider.url",
            "once.routes",
            "once.sagas.queue-prefix");

    private static final Pattern ONCE = Pattern.compile("`(once\\.[a-z][a-z.-]*[a-z])(?:=[^`]*)?`");

    private record Key(String name, String type, String fallback, String description) {

        String row() {
            return "| `%s` | %s | %s | %s |"
                    .formatted(name, type, fallback.isEmpty() ? "none" : "`" + fallback + "`", description);
        }
    }

    private static List<Key> keys() throws IOException {
        JsonNode properties =
                new ObjectMapper().readTree(Files.readString(METADATA)).path("properties");
        return StreamSupport.stream(properties.spliterator(), false)
                .filter(property -> property.path("name").asText().startsWith("once."))
                .map(property -> new Key(
                        property.path("name").asText(),
                        type(property.path("type").asText()),
                        property.path("defaultValue").asText().replaceAll("^\\[|]$", ""),
                        property.path("description").asText()))
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .toList();
    }

    private static String type(String javaType) {
        return switch (javaType) {
            case "java.time.Duration" -> "duration with its unit: `ms` `s` `m` `h` `d`";
            case "java.lang.Integer", "java.lang.Long" -> "whole number";
            case "java.lang.Double" -> "number";
            case "java.lang.Boolean" -> "`true` or `false`";
            case "java.lang.String" -> "text";
            case "java.net.URI" -> "URL";
            case "com.finedge.once.config.ClaimsProperties$Store" -> "`dynamodb` or `jdbc`";
            case "java.util.Map<java.lang.String,com.finedge.once.config.ConsoleProperties$User>" -> "by name";
            default -> {
                assertThat(javaType).as("a type that this test has no word for").startsWith("java.util.Set<");
                yield "list, separated by commas";
            }
        };
    }

    private static String table(List<Key> keys) {
        return Stream.concat(
                        Stream.of("| key | type and unit | default | what it is |", "|---|---|---|---|"),
                        keys.stream().map(Key::row))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void theTableHasEveryKeyAsItIsAndNoOther() throws IOException {
        List<String> rows = Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.startsWith("| `once."))
                .toList();

        assertThat(rows)
                .as("paste this into %s:%n%n%s%n%n", DOCUMENT, table(keys()))
                .containsExactlyElementsOf(keys().stream().map(Key::row).toList());
    }

    @Test
    void everyKeyHasADescriptionAndADefault() throws IOException {
        assertThat(keys()).isNotEmpty().allSatisfy(key -> {
            assertThat(key.description()).as(key.name()).matches("[A-Z].*\\.").doesNotContain("|");
            assertThat(key.fallback().isEmpty())
                    .as(key.name() + " has no default")
                    .isEqualTo(WITHOUT_DEFAULT.contains(key.name()));
        });
    }

    @Test
    void noDocumentNamesAKeyMeterOrAttributeThatDoesNotExist() throws IOException, IllegalAccessException {
        Set<String> known = keys().stream().map(Key::name).collect(Collectors.toCollection(TreeSet::new));
        for (Field meter : MeterNames.class.getFields()) {
            known.add((String) meter.get(null));
        }
        known.addAll(ExportedSpans.names());
        List<String> unknown = new ArrayList<>();
        for (Path document : documents()) {
            ONCE.matcher(Files.readString(document))
                    .results()
                    .map(match -> match.group(1))
                    .filter(name -> !known.contains(name))
                    .forEach(name -> unknown.add(document + " names " + name));
        }

        assertThat(unknown).isEmpty();
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
            return Stream.concat(Stream.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")), docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }
}
