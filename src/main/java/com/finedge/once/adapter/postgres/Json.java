package com.finedge.once.adapter.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** Small maps of strings as they stand in {@code jsonb} columns. */
final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<Map<String, String>> STRINGS = new TypeReference<>() {};

    private Json() {}

    static String write(Map<String, String> strings) {
        try {
            return MAPPER.writeValueAsString(strings);
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
}
