package com.finedge.once.camel;

import java.util.function.Function;
import org.apache.camel.spi.PropertiesFunction;
import org.jspecify.annotations.Nullable;

/** {@code {{where-set:KEY:TEXT}}} in a route is that text where the key is set to anything, and empty otherwise. */
public final class WhereSetFunction implements PropertiesFunction {

    private final Function<String, @Nullable String> properties;

    /** @param properties the value of a key, or null */
    public WhereSetFunction(Function<String, @Nullable String> properties) {
        this.properties = properties;
    }

    @Override
    public String getName() {
        return "where-set";
    }

    @Override
    public String apply(String keyAndText) {
        String[] parts = keyAndText.split(":", 2);
        if (parts.length < 2) {
            throw new IllegalArgumentException("where-set needs a key and a text: " + keyAndText);
        }
        String value = properties.apply(parts[0]);
        return value == null || value.isBlank() ? "" : parts[1];
    }
}
