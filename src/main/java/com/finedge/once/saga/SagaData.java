package com.finedge.once.saga;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values that go with a saga or its messages, as JSON could hold them: texts, whole numbers, truth values, lists and
 * objects. Ids and amounts only; an amount is a text, since readers of JSON disagree about decimals.
 */
public record SagaData(Map<String, Object> values) {

    /** No values. */
    public static final SagaData EMPTY = new SagaData(Map.of());

    private static final int DEEPEST = 8;

    /** @throws IllegalArgumentException for a value of another kind, null included, or more than eight levels */
    public SagaData {
        values = object(values, DEEPEST);
    }

    /** The same and one more. */
    public SagaData with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new SagaData(more);
    }

    /** The value at the end of the path, if there is one. */
    public @Nullable Object at(List<String> path) {
        Object value = values;
        for (String name : path) {
            if (!(value instanceof Map<?, ?> object) || !object.containsKey(name)) {
                return null;
            }
            value = object.get(name);
        }
        return value;
    }

    private static Map<String, Object> object(Map<?, ?> values, int depth) {
        Map<String, Object> copy = new LinkedHashMap<>();
        values.forEach((name, value) -> copy.put((String) name, value(value, depth)));
        return Collections.unmodifiableMap(copy);
    }

    private static Object value(@Nullable Object value, int depth) {
        if (depth == 0) {
            throw new IllegalArgumentException("values of a saga are at most eight levels deep");
        }
        return switch (value) {
            case String text -> text;
            case Boolean truth -> truth;
            case Integer number -> number.longValue();
            case Long number -> number;
            case List<?> list ->
                list.stream().map(item -> value(item, depth - 1)).toList();
            case Map<?, ?> map -> object(map, depth - 1);
            case null, default ->
                throw new IllegalArgumentException(
                        "a value of a saga is a text, a whole number, true or false, a list or an object");
        };
    }

    /** The names only: the values may be a customer's. */
    @Override
    public String toString() {
        return values.keySet().toString();
    }
}
