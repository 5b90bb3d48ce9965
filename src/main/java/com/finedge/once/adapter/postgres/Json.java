package com.finedge.once.adapter.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** Small objects as they stand in {@code jsonb} columns. */
final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<Map<String, String>> STRINGS = new TypeReference<>() {};
    private static final TypeReference<Map<String, Object>> VALUES = new TypeReference<>() {};

    private Json() {}

    static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static Map<String, String> readStrings(String json) {
        try {
            return MAPPER.readValue(json, STRINGS);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a jsonb column holds something else than strings", e);
        }
    }

    static Map<String, Object> readValues(String json) {
        try {
            return MAPPER.readValue(json, VALUES);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a jsonb column holds something else than an object", e);
        }
    }
}
