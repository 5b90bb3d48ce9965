package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.finedge.once.contract.ChargeDueEvent;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** contract/asyncapi.yaml against AsyncAPI's own schema, and against the code that it speaks of. */
class AsyncApiTest {

    private static final Path CONTRACT = Path.of("src/main/resources/contract");
    private static final Path CLASSES = Path.of("target/classes");

    private static final String SCHEMA = "/asyncapi/asyncapi-3.0.0.schema.json";

    /** A copy of whatever came: no record of the contract. */
    private static final String DEAD_LETTER = "DeadLetter";

    /** Known to SQS only, by the redrive policies of their queues. */
    private static final Set<String> WITHOUT_SETTING = Set.of(
            "charge-outcomes-dlq",
            "payment-commands-dlq",
            "inventory-commands-dlq",
            "shipping-commands-dlq",
            "order-commands-dlq",
            "order-events-dlq");

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ObjectNode DOCUMENT = document();

    @Test
    void theDocumentIsAsyncApi() {
        assertThat(faults(DOCUMENT)).isEmpty();
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("no title", "/info", "title"),
                Arguments.of("no action", "/operations/recoverCharge", "action"),
                Arguments.of("a queue without its kind", "/channels/charges/bindings/sqs/queue", "fifoQueue"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void aMistakeIsFound(String name, String pointer, String field) {
        ObjectNode broken = DOCUMENT.deepCopy();
        assertThat(((ObjectNode) broken.at(pointer)).remove(field)).as(name).isNotNull();

        assertThat(faults(broken)).isNotEmpty();
    }

    @Test
    void itHasTheVersionOfTheBuild() throws IOException {
        Properties build = new Properties();
        try (InputStream file = Files.newInputStream(CLASSES.resolve("META-INF/build-info.properties"))) {
            build.load(file);
        }

        assertThat(build.getProperty("build.version").replace("-SNAPSHOT", ""))
                .isEqualTo(DOCUMENT.at("/info/version").textValue());
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        List<String> references = new ArrayList<>();
        collectReferences(DOCUMENT, references);

        assertThat(references)
                .isNotEmpty()
                .allSatisfy(reference ->
                        assertThat(target(reference).isObject()).as(reference).isTrue());
    }

    @Test
    void everyRecordOfTheContractIsAMessageWithItsSchemaAndNoOther() {
        Map<String, JsonNode> messages = named("/components/messages");
        Set<String> records = new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages(ChargeDueEvent.class.getPackageName())
                        .stream()
                        .filter(JavaClass::isRecord)
                        .filter(JavaClass::isTopLevelClass)
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.toCollection(TreeSet::new));
        messages.remove(DEAD_LETTER);

        assertThat(messages.keySet()).isEqualTo(records);
        messages.forEach((name, message) -> assertThat(target(schemaOf(message)).path("title"))
                .as("title of the schema of " + name)
                .hasToString('"' + name + '"'));
    }

    @Test
    void everyMessageTravelsOnAChannel() {
        Set<String> travelling = new TreeSet<>();
        named("/channels")
                .values()
                .forEach(channel -> channel.path("messages")
                        .forEach(message -> travelling.add(message.path("$ref").asText())));

        assertThat(travelling)
                .containsExactlyInAnyOrderElementsOf(named("/components/messages").keySet().stream()
                        .map(name -> "#/components/messages/" + name)
                        .toList());
    }

    @Test
    void everyExampleIsValid() {
        named("/components/messages").forEach((name, message) -> {
            assertThat(message.path("examples")).as("examples of " + name).isNotEmpty();
            message.path("examples").forEach(example -> {
                assertThat(invalid(message.path("payload"), example.path("payload")))
                        .as(name + " " + example.path("name"))
                        .isEmpty();
                if (example.has("headers")) {
                    assertThat(invalid(message.path("headers"), example.path("headers")))
                            .as(name + " " + example.path("name"))
                            .isEmpty();
                }
            });
        });
    }

    @Test
    void everyQueueOfTheSettingsHasItsChannelAndNoOtherHas() throws IOException {
        Map<String, String> channels = new TreeMap<>();
        Set<String> withoutSetting = new TreeSet<>();
        named("/channels").values().forEach(channel -> {
            String address = channel.path("address").asText();
            if (channel.has("x-once-key")) {
                channels.put(channel.path("x-once-key").asText(), address);
            } else {
                withoutSetting.add(address);
            }
        });

        Map<String, String> settings = queueSettings();
        assertThat(channels.keySet()).isEqualTo(settings.keySet());
        // A queue that is off by default has no name that could differ.
        settings.values().removeIf(String::isEmpty);
        assertThat(channels).containsAllEntriesOf(settings);
        assertThat(withoutSetting).isEqualTo(WITHOUT_SETTING);
    }

    @Test
    void everyQueueIsAStandardQueueWithItsDeadLetterQueueAndIsUsed() {
        Map<String, JsonNode> channels = named("/channels");
        Set<String> addresses = channels.values().stream()
                .map(channel -> channel.path("address").asText())
                .collect(Collectors.toSet());
        Set<String> used = named("/operations").values().stream()
                .map(operation -> operation.at("/channel/$ref").asText())
                .collect(Collectors.toSet());

        channels.forEach((name, channel) -> {
            String address = channel.path("address").asText();
            JsonNode queue = channel.at("/bindings/sqs/queue");
            assertThat(queue.path("name").asText()).as(name).isEqualTo(address);
            assertThat(queue.path("fifoQueue").booleanValue()).as(name).isFalse();
            assertThat(used.contains("#/channels/" + name) || WITHOUT_SETTING.contains(address))
                    .as(name + " is used")
                    .isTrue();
            if (!address.endsWith("-dlq")) {
                assertThat(queue.at("/redrivePolicy/deadLetterQueue/name").asText())
                        .as("dead-letter queue of " + name)
                        .isEqualTo(address + "-dlq")
                        .isIn(addresses);
            }
        });
    }

    @Test
    void theAttributesAreThoseThatMayCrossTheBorder() {
        assertThat(named("/components/schemas/Attributes/properties"))
                .containsOnlyKeys(MessageAttributes.TRACEPARENT, MessageAttributes.REDRIVES, "replaces");
        // The type is for others: it is sent and not read.
        Set<String> ofSagas = new TreeSet<>(MessageAttributes.IN);
        ofSagas.add("type");
        ofSagas.remove(MessageAttributes.REDRIVES);
        assertThat(named("/components/schemas/SagaAttributes/properties")).containsOnlyKeys(ofSagas);
        assertThat(named("/components/schemas/DeadLetterAttributes/properties"))
                .containsOnlyKeys(MessageAttributes.OUT);
    }

    private static ObjectNode document() {
        try {
            return MAPPER.valueToTree(YamlTree.of(Files.readString(CONTRACT.resolve("asyncapi.yaml")))
                    .orElseThrow()
                    .values());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<ValidationMessage> faults(JsonNode document) {
        try (InputStream schema = Objects.requireNonNull(AsyncApiTest.class.getResourceAsStream(SCHEMA), SCHEMA)) {
            return JsonSchemaFactory.getInstance(VersionFlag.V7)
                    .getSchema(schema)
                    .validate(document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a schema of the document has against the value. */
    private static Set<ValidationMessage> invalid(JsonNode schema, JsonNode value) {
        ObjectNode whole = (ObjectNode) withFiles(schema);
        if (!whole.has("$id")) {
            // So that references into the document find their target.
            whole.set("components", DOCUMENT.path("components"));
        }
        return JsonSchemaFactory.getInstance(VersionFlag.V202012)
                .getSchema(
                        whole,
                        SchemaValidatorsConfig.builder()
                                .formatAssertionsEnabled(true)
                                .build())
                .validate(value);
    }

    /** A copy with the files that it refers to in their places. */
    private static JsonNode withFiles(JsonNode schema) {
        String reference = schema.path("$ref").asText();
        if (reference.startsWith("./")) {
            return target(reference);
        }
        if (schema instanceof ArrayNode array) {
            ArrayNode copy = array.arrayNode();
            array.forEach(item -> copy.add(withFiles(item)));
            return copy;
        }
        if (schema instanceof ObjectNode object) {
            ObjectNode copy = object.objectNode();
            object.properties().forEach(field -> copy.set(field.getKey(), withFiles(field.getValue())));
            return copy;
        }
        return schema;
    }

    /** The file with the schema of a record: that of the message, or of the data where the message is a notice. */
    private static String schemaOf(JsonNode message) {
        JsonNode payload = message.path("payload");
        return (payload.has("allOf") ? payload.at("/allOf/1/properties/data") : payload)
                .path("$ref")
                .asText();
    }

    private static void collectReferences(JsonNode node, List<String> references) {
        node.properties().forEach(field -> {
            if (field.getKey().equals("$ref")) {
                references.add(field.getValue().asText());
            }
        });
        node.forEach(child -> collectReferences(child, references));
    }

    /** A place in the document, or a file beside it. */
    private static JsonNode target(String reference) {
        if (reference.startsWith("#")) {
            return DOCUMENT.at(reference.substring(1));
        }
        try {
            return MAPPER.readTree(CONTRACT.resolve(reference).toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(reference + " leads nowhere", e);
        }
    }

    private static Map<String, JsonNode> named(String pointer) {
        return new TreeMap<>(DOCUMENT.at(pointer).properties().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** The default of each setting that names a queue, from the metadata that the compiler generates. */
    private static Map<String, String> queueSettings() throws IOException {
        Map<String, String> settings = new TreeMap<>();
        MAPPER.readTree(CLASSES.resolve("META-INF/spring-configuration-metadata.json")
                        .toFile())
                .path("properties")
                .forEach(property -> {
                    String key = property.path("name").asText();
                    if (key.startsWith("once.") && key.endsWith("queue")) {
                        settings.put(key, property.path("defaultValue").asText());
                    }
                });
        return settings;
    }
}
