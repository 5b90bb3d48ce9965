package com.finedge.once.adapter.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import com.finedge.once.contract.SagaNotice;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads {@link SagaNotice}s from JSON text, strictly, and writes them; safe for many threads. */
public final class SagaNoticeJson {

    private static final TypeReference<Map<String, Object>> VALUES = new TypeReference<>() {};

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(32)
                            .maxNameLength(256)
                            .maxNumberLength(100)
                            .maxStringLength(StrictJson.MAX_BODY_BYTES)
                            .maxDocumentLength(StrictJson.MAX_BODY_BYTES)
                            .maxTokenCount(10_000)
                            .build())
                    .build())
            .build();
    private static final ObjectReader READER = JSON.reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /**
     * The type of a message of whatever kind.
     *
     * @throws InvalidMessageException where the body isn't exactly one JSON object with a type
     */
    public String typeOf(String body) {
        return text(object(body), "type");
    }

    /**
     * Reads one notice; fields that the contract doesn't name are skipped.
     *
     * @throws InvalidMessageException where the body isn't exactly one valid notice; nothing else is thrown for any text
     */
    public SagaNotice read(String body) {
        JsonNode json = object(body);
        return new SagaNotice(
                text(json, "id"),
                text(json, "type"),
                text(json, "source"),
                time(json),
                text(json, "businessKey"),
                json.has("traceparent") ? Optional.of(text(json, "traceparent")) : Optional.empty(),
                data(json));
    }

    /** Writes a notice as one line of JSON, fields in the order of the contract, times in UTC. */
    public String write(SagaNotice notice) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", notice.id());
        fields.put("type", notice.type());
        fields.put("source", notice.source());
        fields.put("time", notice.time().toString());
        fields.put("businessKey", notice.businessKey());
        notice.traceparent().ifPresent(context -> fields.put("traceparent", context));
        fields.put("data", notice.data());
        try {
            return JSON.writeValueAsString(fields);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a notice holds nothing but JSON", e);
        }
    }

    private static JsonNode object(String body) {
        try {
            if (body.isBlank() || body.startsWith("\uFEFF")) {
                throw new InvalidMessageException(Code.NOT_JSON, "must be strict JSON");
            }
            JsonNode json = READER.readTree(body);
            if (!json.isObject()) {
                throw new InvalidMessageException(Code.WRONG_TYPE, "must be a JSON object");
            }
            return json;
        } catch (StreamConstraintsException e) {
            throw new InvalidMessageException(Code.TOO_LARGE, "must keep the limits on depth, fields, names and digits");
        } catch (JsonProcessingException e) {
            throw new InvalidMessageException(
                    e.getOriginalMessage().startsWith("Duplicate field") ? Code.DUPLICATE_FIELD : Code.NOT_JSON,
                    "must be strict JSON");
        }
    }

    private static String text(JsonNode json, String field) {
        JsonNode value = json.path(field);
        if (value.isMissingNode() || value.isNull()) {
            throw new InvalidMessageException(Code.MISSING_FIELD, field, "is required");
        }
        if (!value.isTextual()) {
            throw new InvalidMessageException(Code.WRONG_TYPE, field, "must be a JSON string");
        }
        return value.textValue();
    }

    private static Instant time(JsonNode json) {
        try {
            return OffsetDateTime.parse(text(json, "time")).toInstant();
        } catch (DateTimeParseException e) {
            throw new InvalidMessageException(Code.INVALID_VALUE, "time", "must be an RFC 3339 time");
        }
    }

    private static Map<String, Object> data(JsonNode json) {
        JsonNode data = json.path("data");
        if (data.isMissingNode() || data.isNull()) {
            throw new InvalidMessageException(Code.MISSING_FIELD, "data", "is required");
        }
        if (!data.isObject()) {
            throw new InvalidMessageException(Code.WRONG_TYPE, "data", "must be a JSON object");
        }
        return JSON.convertValue(data, VALUES);
    }
}
