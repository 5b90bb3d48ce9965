package com.finedge.once.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An error that a stubbed service answers with. */
final class Refusal extends RuntimeException {

    private final transient ObjectNode body;
    private final boolean expected;

    private Refusal(String type, String message, boolean expected) {
        super(message, null, false, false);
        this.body = JsonNodeFactory.instance.objectNode().put("__type", type).put("message", message);
        this.expected = expected;
    }

    /** The service's ordinary answer to a request that it understood. */
    static Refusal of(String type, String message) {
        return new Refusal(type, message, true);
    }

    /** The stub doesn't know such a request: what was measured would be something else than the real service. */
    static Refusal unknown(String message) {
        return new Refusal("com.amazon.coral.service#ValidationException", "Not known to the stub: " + message, false);
    }

    ObjectNode body() {
        return body;
    }

    boolean expected() {
        return expected;
    }
}
