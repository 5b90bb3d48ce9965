package com.finedge.once.adapter.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.finedge.once.contract.InvalidMessageException;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The schema and the reader of a message judge every example alike. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SchemaContract {

    static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private static final Path SCHEMAS = Path.of("src/main/resources/contract");

    private final Class<? extends Record> type;
    private final Path examples;
    private final JsonNode schema;
    private final JsonSchema validator;

    /** @param name what its schema and the directory of its examples are called */
    SchemaContract(Class<? extends Record> type, String name) {
        this.type = type;
        this.examples = Path.of("src/test/resources/contract", name);
        this.schema = schema(name);
        this.validator = JsonSchemaFactory.getInstance(VersionFlag.V202012)
                .getSchema(
                        schema,
                        SchemaValidatorsConfig.builder()
                                .formatAssertionsEnabled(true)
                                .build());
    }

    /** Reads a message. */
    abstract Record read(String body);

    /** Reads a message and writes it. */
    abstract String rewritten(String body);

    static JsonNode schema(String name) {
        try {
            return MAPPER.readTree(SCHEMAS.resolve(name + ".v1.schema.json").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    final boolean schemaAccepts(JsonNode message) {
        return validator.validate(message).isEmpty();
    }

    final boolean readerAccepts(String body) {
        try {
            read(body);
            return true;
        } catch (InvalidMessageException refused) {
            return false;
        }
    }

    final String baseExample() throws IOException {
        return Files.readString(examples.resolve("valid/base.json"));
    }

    List<Path> valid() throws IOException {
        return examples("valid");
    }

    List<Path> invalid() throws IOException {
        return examples("invalid");
    }

    List<Path> invalidBeyondSchema() throws IOException {
        return examples("invalid/beyond-schema");
    }

    @ParameterizedTest
    @MethodSource("valid")
    void bothAcceptAValidExample(Path example) throws IOException {
        String body = Files.readString(example);

        assertThat(validator.validate(MAPPER.readTree(body))).isEmpty();
        assertThat(validator.validate(MAPPER.readTree(rewritten(body)))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void bothRefuseAnInvalidExample(Path example) throws IOException {
        String body = Files.readString(example);

        assertThat(validator.validate(MAPPER.readTree(body))).isNotEmpty();
        assertThatThrownBy(() -> read(body)).isInstanceOf(InvalidMessageException.class);
    }

    @ParameterizedTest
    @MethodSource("invalidBeyondSchema")
    void theReaderAloneRefusesWhatASchemaCannotSee(Path example) throws IOException {
        String body = Files.readString(example);

        // Whatever the schema does refuse belongs to the examples that both must refuse.
        assertThat(asALenientParserSeesIt(body))
                .allSatisfy(document -> assertThat(validator.validate(document)).isEmpty());
        assertThatThrownBy(() -> read(body)).isInstanceOf(InvalidMessageException.class);
    }

    @Test
    void theSchemaHasTheFieldsOfTheRecordAndRequiresThemUnlessTheyAreOptional() {
        List<RecordComponent> components = List.of(type.getRecordComponents());

        assertThat(schema.get("title").textValue()).isEqualTo(type.getSimpleName());
        assertThat(schema.get("properties").fieldNames())
                .toIterable()
                .containsExactlyElementsOf(
                        components.stream().map(RecordComponent::getName).toList());
        assertThat(schema.get("required"))
                .extracting(JsonNode::asText)
                .containsExactlyElementsOf(components.stream()
                        .filter(component -> component.getType() != Optional.class)
                        .map(RecordComponent::getName)
                        .toList());
    }

    @Test
    void theExamplesOfTheSchemasFieldsMakeTheBaseExample() throws IOException {
        ObjectNode message = MAPPER.createObjectNode();
        schema.get("properties").properties().forEach(field -> {
            JsonNode description = field.getValue();
            message.set(
                    field.getKey(),
                    description.has("const") ? description.get("const") : description.at("/examples/0"));
        });

        assertThat(validator.validate(message)).isEmpty();
        assertThat(read(message.toString())).isEqualTo(read(baseExample()));
    }

    /** The first document of the text, or nothing where it is none even for a lenient parser. */
    private static List<JsonNode> asALenientParserSeesIt(String body) {
        try {
            JsonNode document = MAPPER.readTree(body.startsWith("\uFEFF") ? body.substring(1) : body);
            return document.isMissingNode() ? List.of() : List.of(document);
        } catch (IOException notJson) {
            return List.of();
        }
    }

    final List<Path> examples(String directory) throws IOException {
        try (Stream<Path> files = Files.list(examples.resolve(directory))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
