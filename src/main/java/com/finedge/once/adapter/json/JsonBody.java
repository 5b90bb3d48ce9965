package com.finedge.once.adapter.json;

import com.finedge.once.contract.InvalidMessageException;
import java.util.Map;

/** A message of which nothing is known but that it is one JSON object, within the limits of every message. */
public final class JsonBody {

    private JsonBody() {}

    /**
     * The object's values, by their names.
     *
     * @throws InvalidMessageException where the body isn't exactly one JSON object; nothing else is thrown for any text
     */
    public static Map<String, Object> read(String body) {
        return SagaFields.of(body).values();
    }

    /** The same object as one text, in which neither the order of its fields nor white space counts. */
    public static String canonical(Map<String, Object> values) {
        return SagaFields.canonical(values);
    }
}
