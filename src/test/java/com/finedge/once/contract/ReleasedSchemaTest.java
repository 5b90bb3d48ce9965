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

    static List<String> releasedSchemas() throws IOException {
        try (Stream<Path> files = Files.list(RELEASED)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void everySchemaHasAReleasedCopyToBeComparedWith() throws IOException {
        try (Stream<Path> files = Files.list(CURRENT)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(releasedSchemas());
        }
    }

    @ParameterizedTest
    @MethodSource("releasedSchemas")
    void noSchemaBreaksItsReleasedVersion(String file) throws IOException {
        assertThat(SchemaChanges.breaking(schema(RELEASED, file), schema(CURRENT, file)))
                .as("breaking changes of " + file + "; such a change needs a new version of the contract")
                .isEmpty();
    }

    static Stream<Arguments> breakingChanges() {
        return Stream.of(
                breaking("chargeId was removed or renamed.", s -> properties(s).remove("chargeId")),
                breaking(
                        "amount was removed or renamed.",
                        s -> properties(s).set("price", properties(s).remove("amount"))),
                breaking("reason is required now", s -> {
                    properties(s).putObject("reason").put("type", "string");
                    ((ArrayNode) s.get("required")).add("reason");
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
                breaking("the message has a changed $id", s -> s.put("$id", "urn:other")),
                breaking(
                        "the message has a changed dependentRequired",
                        s -> s.putObject("dependentRequired").putArray("amount").add("note")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("breakingChanges")
    void aBreakingChangeIsFoundAndNamed(String sentence, Consumer<ObjectNode> change) throws IOException {
        JsonNode released = chargeDueEvent();
        ObjectNode altered = released.deepCopy();
        change.accept(altered);

        assertThat(SchemaChanges.breaking(released, altered))
                .anySatisfy(found -> assertThat(found).startsWith(sentence));
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
        JsonNode released = chargeDueEvent();
        ObjectNode altered = released.deepCopy();
        change.accept(altered);

        assertThat(altered).as(name).isNotEqualTo(released);
        assertThat(SchemaChanges.breaking(released, altered)).isEmpty();
    }

    private static Arguments breaking(String name, Consumer<ObjectNode> change) {
        return arguments(name, change);
    }

    private static JsonNode chargeDueEvent() throws IOException {
        return schema(RELEASED, "charge-due-event.v1.schema.json");
    }

    private static JsonNode schema(Path directory, String file) throws IOException {
        return MAPPER.readTree(directory.resolve(file).toFile());
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
