package com.finedge.once.adapter.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.saga.SagaData;
import java.util.Map;

/** Small values as they stand in {@code jsonb} columns. */
final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<Map<String, String>> STRINGS = new TypeReference<>() {};

    private static final TypeReference<Map<String, Object>> VALUES = new TypeReference<>() {};

    private Json() {}

    static String write(Object values) {
        try {
            return MAPPER.writeValueAsString(values);
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

    static SagaData readData(String json) {
        try {
            return new SagaData(MAPPER.readValue(json, VALUES));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a jsonb column holds something else than values of a saga", e);
        }
    }
}
