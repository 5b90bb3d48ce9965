package com.finedge.once.contract;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Something that concerns a saga as a whole: what it starts with, a wish that it turn back, or how it has ended; an
 * instance is always valid.
 *
 * <p>The constructor throws {@link InvalidMessageException} for the first rule that is broken, in the order of the
 * components; what they mean and their forms are in {@link SagaMessage}.
 */
public record SagaNotice(
        String id,
        String type,
        String source,
        Instant time,
        String businessKey,
        Optional<String> traceparent,
        Map<String, Object> data) {

    public SagaNotice {
        Rules.key("id", id);
        Rules.messageType("type", type);
        Rules.name("source", source);
        time = Rules.time("time", time);
        Rules.key("businessKey", businessKey);
        Rules.present("traceparent", traceparent).ifPresent(context -> Rules.traceparent("traceparent", context));
        data = Rules.data("data", data);
    }

    /** Without the data, which may be a customer's. */
    @Override
    public String toString() {
        return "SagaNotice[id=" + id + ", type=" + type + ", businessKey=" + businessKey + "]";
    }
}
