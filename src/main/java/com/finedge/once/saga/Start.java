package com.finedge.once.saga;

import java.util.Map;

/**
 * How a saga starts.
 *
 * @param type the type of the message that starts it
 * @param key the {@link Template} of its business key: for each key there is one saga, for ever
 * @param remember what it keeps of that message, by name
 */
public record Start(String type, String key, Map<String, Remembered> remember) {

    public Start {
        remember = Map.copyOf(remember);
    }
}
