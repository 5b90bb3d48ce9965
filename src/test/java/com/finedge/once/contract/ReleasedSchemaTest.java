package com.finedge.once.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReleasedSchemaTest {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Path CURRENT = Path.of("src/main/resources/contract");
    private static final Path RELEASED = Path.of("src/test/resources/contract/released");

    /** One folder for each version of the contract that teams may have, with the schemas as they had them. */
    static List<Path> releasedSchemas() throws IOException {
        return schemasBelow(RELEASED);
    }

    @Test
    void everySchemaHasAReleasedCopyToBeComparedWith() throws IOException {
        assertThat(names(schemasBelow(CURRENT)))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(new TreeSet<>(names(releasedSchemas())));
    }

    @ParameterizedTest
    @MethodSource("releasedSchemas")
    void noSchemaBreaksItsReleasedVersion(Path released) throws IOException {
        Path current = CURRENT.resolve(released.getFileName());

        assertThat(SchemaChanges.breaking(current.toString(), schema(released), schema(current)))
                .as("breaking changes since " + released + "; such a change needs a new version of the contract")
                .isEmpty();
    }

    static Stream<Arguments> breakingChanges() {
        return Stream.of(
                breaking("chargeId was removed or renamed.", s -> properties(s).remove("chargeId")),
                breaking(
                        "amount was removed or renamed.",
                        s -> properties(s).set("price", properties(s).remove("amount"))),
                breaking("note is required now", s -> {
                    properties(s).putObject("note").put("type", "string");
                    ((ArrayNode) s.get("required")).add("note");
                }),
                breaking("schemaVersion is no longer required", s -> ((ArrayNode) s.get("required")).remove(0)),
                breaking(
                        "amount no longer allows the type string",
                        s -> property(s, "amount").put("type", "number")),
                breaking(
                        "chargeType has a new or changed pattern",
                        s -> property(s, "chargeType").put("pattern", "^[A-Z]+$")),
                breaking(
                        "schemaVersion has a new or changed const",
                        s -> property(s, "schemaVersion").put("const", 2)),
                breaking("currency no longer allows the value EUR", s -> {
                    ArrayNode codes = (ArrayNode) property(s, "currency").get("enum");
                    codes.removeIf(code -> code.asText().equals("EUR"));
                }),
                breaking(
                        "chargeType is now restricted by its value",
                        s -> property(s, "chargeType").putArray("enum").add("SMS_ALERT_FEE")),
                breaking(
                        "accountId has a lower maxLength",
                        s -> property(s, "accountId").put("maxLength", 34)),
                breaking(
                        "accountId has a higher minLength",
                        s -> property(s, "accountId").put("minLength", 5)),
                breaking(
                        "chargeType has a new or changed format",
                        s -> property(s, "chargeType").put("format", "uuid")),
                // Through a reference: the field is named, not the definition.
                breaking(
                        "eventId has a new or changed pattern",
                        s -> ((ObjectNode) s.at("/$defs/key")).put("pattern", "^[A-Z]+$")),
                breaking(
                        "dueAt has a new or changed pattern",
                        s -> ((ObjectNode) s.at("/$defs/time")).put("pattern", "Z$")),
                breaking(
                        "the message no longer accepts every unknown field", s -> s.put("additionalProperties", false)),
                breaking(
                        "Where currency is EUR there is a new or changed rule: {\"properties\":{\"amount\"",
                        s -> condition(s, 0).insert(0, "EUR")),
                breaking(
                        "Where currency is KWD there is a new or changed rule: {\"properties\":{\"amount\"",
                        s -> ((ObjectNode) s.at("/allOf/2/then/properties/amount")).put("pattern", "^[0-9]*$")),
                breaking(
                        "Where anything holds there is a new or changed rule: {\"required\":[\"note\"]}",
                        s -> ((ArrayNode) s.get("allOf"))
                                .addObject()
                                .putArray("required")
                                .add("note")),
                breaking(
                        "amount has a changed not",
                        s -> property(s, "amount").putObject("not").put("const", "7")),
                // The same in an object within the message, and for the limits that no field has yet.
                breaking(
                        "reason has a lower maxLength",
                        s -> property(s, "reason").put("maxLength", 7)),
                breaking(
                        "reason has a higher minLength",
                        s -> property(s, "reason").put("minLength", 3)),
                breaking(
                        "attempts has a higher minimum",
                        s -> property(s, "attempts").put("minimum", 2)),
                breaking(
                        "attempts has a lower maximum",
                        s -> property(s, "attempts").put("maximum", 9)),
                breaking(
                        "attempts has a higher exclusiveMinimum",
                        s -> property(s, "attempts").put("exclusiveMinimum", 1)),
                breaking(
                        "attempts has a lower exclusiveMaximum",
                        s -> property(s, "attempts").put("exclusiveMaximum", 10)),
                breaking(
                        "lines has a higher minItems", s -> property(s, "lines").put("minItems", 2)),
                breaking("lines has a lower maxItems", s -> property(s, "lines").put("maxItems", 4)),
                breaking(
                        "lines has a changed items",
                        s -> ((ObjectNode) property(s, "lines").get("items")).put("type", "integer")),
                breaking(
                        "address.city was removed or renamed",
                        s -> properties(property(s, "address")).remove("city")),
                breaking(
                        "address.city no longer allows the type string",
                        s -> property(property(s, "address"), "city").put("type", "integer")),
                breaking(
                        "address.zip is required now",
                        s -> ((ArrayNode) property(s, "address").get("required")).add("zip")),
                breaking(
                        "address.city is no longer required",
                        s -> ((ArrayNode) property(s, "address").get("required")).remove(0)),
                breaking(
                        "address no longer accepts every unknown field",
                        s -> property(s, "address").put("additionalProperties", false)),
                breaking(
                        "address has a higher minProperties",
                        s -> property(s, "address").put("minProperties", 2)),
                breaking(
                        "address has a lower maxProperties",
                        s -> property(s, "address").put("maxProperties", 2)),
                breaking(
                        "the message no longer accepts every unknown field",
                        s -> s.putObject("additionalProperties").put("type", "string")),
                breaking("the message has a changed $id", s -> s.put("$id", "urn:other")),
                breaking(
                        "the message has a changed dependentRequired",
                        s -> s.putObject("dependentRequired").putArray("amount").add("note")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("breakingChanges")
    void aBreakingChangeIsFoundAndNamed(String sentence, Consumer<ObjectNode> change) throws IOException {
        ObjectNode released = sample();
        ObjectNode altered = released.deepCopy();
        change.accept(altered);

        assertThat(SchemaChanges.breaking("sample.json", released, altered))
                .anySatisfy(found -> assertThat(found).startsWith("sample.json: " + sentence));
    }

    static Stream<Arguments> harmlessChanges() {
        return Stream.of(
                breaking(
                        "a new optional field",
                        s -> properties(s).putObject("note").put("type", "string")),
                breaking("another description", s -> property(s, "amount").put("description", "How much.")),
                breaking(
                        "another type beside",
                        s -> property(s, "chargeType")
                                .putArray("type")
                                .add("string")
                                .add("integer")),
                breaking(
                        "wider limits",
                        s -> property(s, "reason").put("minLength", 1).put("maxLength", 9)),
                breaking("no limits any more", s -> property(s, "attempts").remove(List.of("minimum", "maximum"))),
                breaking("no pattern any more", s -> property(s, "chargeType").remove("pattern")),
                breaking("unknown fields accepted in so many words", s -> s.put("additionalProperties", true)),
                breaking("a new currency with its own decimals", s -> {
                    ((ArrayNode) property(s, "currency").get("enum")).add("QQQ");
                    condition(s, 0).add("QQQ");
                }),
                breaking(
                        "a definition written out",
                        s -> properties(s).set("eventId", s.at("/$defs/key").deepCopy())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("harmlessChanges")
    void aHarmlessChangeIsNotReported(String name, Consumer<ObjectNode> change) throws IOException {
        ObjectNode released = sample();
        ObjectNode altered = released.deepCopy();
        change.accept(altered);

        assertThat(altered).as(name).isNotEqualTo(released);
        assertThat(SchemaChanges.breaking("sample.json", released, altered)).isEmpty();
    }

    private static Arguments breaking(String name, Consumer<ObjectNode> change) {
        return arguments(name, change);
    }

    /** A released schema, and in it what none of them has yet. */
    private static ObjectNode sample() throws IOException {
        ObjectNode sample = (ObjectNode) schema(RELEASED.resolve("0.1.0/charge-due-event.v1.schema.json"));
        properties(sample).setAll((ObjectNode) MAPPER.readTree("""
                {
                  "reason": { "type": "string", "minLength": 2, "maxLength": 8 },
                  "attempts": {
                    "type": "integer", "minimum": 1, "maximum": 10, "exclusiveMinimum": 0, "exclusiveMaximum": 11
                  },
                  "lines": { "type": "array", "minItems": 1, "maxItems": 5, "items": { "type": "string" } },
                  "address": {
                    "type": "object", "minProperties": 1, "maxProperties": 3,
                    "required": ["city"],
                    "properties": { "city": { "type": "string" }, "zip": { "type": "string" } }
                  }
                }
                """));
        return sample;
    }

    private static List<Path> schemasBelow(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".schema.json"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> names(List<Path> files) {
        return files.stream().map(file -> file.getFileName().toString()).toList();
    }

    private static JsonNode schema(Path file) throws IOException {
        return MAPPER.readTree(file.toFile());
    }

    private static ObjectNode properties(ObjectNode schema) {
        return (ObjectNode) schema.get("properties");
    }

    private static ObjectNode property(ObjectNode schema, String field) {
        return (ObjectNode) properties(schema).get(field);
    }

    private static ArrayNode condition(ObjectNode schema, int index) {
        return (ArrayNode) schema.at("/allOf/" + index + "/if/properties/currency/enum");
    }
}
