package com.finedge.once.adapter.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import com.finedge.once.contract.SagaMessage;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The fields of one message of a saga, read strictly; and how they are written. */
record SagaFields(JsonNode json) {

    private static final Pattern ID = Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

    private static final TypeReference<Map<String, Object>> VALUES = new TypeReference<>() {};

    private static final JsonMapper JSON =
            JsonMapper.builder(StrictJson.factory()).build();
    private static final ObjectReader READER = JSON.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final ObjectWriter CANONICAL = JSON.writer().with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    static SagaFields of(String body) {
        try {
            if (body.isBlank() || body.startsWith("\uFEFF")) {
                throw new InvalidMessageException(Code.NOT_JSON, "must be strict JSON");
            }
            JsonNode json = READER.readTree(body);
            if (!json.isObject()) {
                throw new InvalidMessageException(Code.WRONG_TYPE, "must be a JSON object");
            }
            return new SagaFields(json);
        } catch (StreamConstraintsException e) {
            throw new InvalidMessageException(
                    Code.TOO_LARGE, "must keep the limits on depth, fields, names and digits");
        } catch (JsonProcessingException e) {
            throw new InvalidMessageException(
                    e.getOriginalMessage().startsWith("Duplicate field") ? Code.DUPLICATE_FIELD : Code.NOT_JSON,
                    "must be strict JSON");
        }
    }

    /** What both kinds of message have, in the order of the contract. */
    static Map<String, Object> written(SagaMessage message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", message.id());
        fields.put("type", message.type());
        fields.put("source", message.source());
        fields.put("time", message.time().toString());
        fields.put("sagaId", message.sagaId().toString());
        fields.put("sagaType", message.sagaType());
        fields.put("definitionVersion", message.definitionVersion());
        fields.put("businessKey", message.businessKey());
        fields.put("step", message.step());
        fields.put("direction", message.direction().name());
        fields.put("commandId", message.commandId().toString());
        fields.put("attempt", message.attempt());
        return fields;
    }

    static String written(Map<String, Object> fields, SagaMessage message) {
        message.traceparent().ifPresent(context -> fields.put("traceparent", context));
        fields.put("data", message.data());
        return line(fields);
    }

    static String line(Map<String, Object> fields) {
        try {
            return JSON.writeValueAsString(fields);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a message holds nothing but JSON", e);
        }
    }

    /** A text in which the order of fields doesn't count. */
    static String canonical(Map<String, Object> fields) {
        try {
            return CANONICAL.writeValueAsString(fields);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what was read as JSON is JSON", e);
        }
    }

    /** All of them, by their names. */
    Map<String, Object> values() {
        return JSON.convertValue(json, VALUES);
    }

    String text(String field) {
        JsonNode value = present(field);
        if (!value.isTextual()) {
            throw new InvalidMessageException(Code.WRONG_TYPE, field, "must be a JSON string");
        }
        return value.textValue();
    }

    Optional<String> optionalText(String field) {
        return json.has(field) ? Optional.of(text(field)) : Optional.empty();
    }

    int number(String field) {
        JsonNode value = present(field);
        if (!value.isInt()) {
            throw new InvalidMessageException(Code.WRONG_TYPE, field, "must be a whole number");
        }
        return value.intValue();
    }

    UUID id(String field) {
        String text = text(field);
        // The JDK also reads shorter forms, so that two texts would name one saga.
        if (!ID.matcher(text).matches()) {
            throw new InvalidMessageException(Code.INVALID_VALUE, field, "must be a UUID");
        }
        return UUID.fromString(text);
    }

    Instant time(String field) {
        return StrictJson.time(field, text(field));
    }

    Optional<Instant> optionalTime(String field) {
        return optionalText(field).map(text -> StrictJson.time(field, text));
    }

    <E extends Enum<E>> E constant(String field, Class<E> type) {
        String name = text(field);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        throw new InvalidMessageException(Code.INVALID_VALUE, field, "must be one of its words");
    }

    Map<String, Object> data() {
        JsonNode data = present("data");
        if (!data.isObject()) {
            throw new InvalidMessageException(Code.WRONG_TYPE, "data", "must be a JSON object");
        }
        return JSON.convertValue(data, VALUES);
    }

    private JsonNode present(String field) {
        JsonNode value = json.path(field);
        if (value.isMissingNode() || value.isNull()) {
            throw new InvalidMessageException(Code.MISSING_FIELD, field, "is required");
        }
        return value;
    }
}
