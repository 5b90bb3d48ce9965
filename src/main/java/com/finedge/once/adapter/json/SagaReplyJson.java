package com.finedge.once.adapter.json;

import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.SagaMessage.Direction;
import com.finedge.once.contract.SagaReply;
import java.util.Map;

/** Reads {@link SagaReply}s from JSON text, strictly, and writes them; safe for many threads. */
public final class SagaReplyJson {

    /**
     * Reads one answer; fields that the contract doesn't name are skipped.
     *
     * @throws InvalidMessageException where the body isn't exactly one valid answer; nothing else is thrown for any text
     */
    public SagaReply read(String body) {
        SagaFields json = SagaFields.of(body);
        return new SagaReply(
                json.text("id"),
                json.text("type"),
                json.text("source"),
                json.time("time"),
                json.id("sagaId"),
                json.text("sagaType"),
                json.number("definitionVersion"),
                json.text("businessKey"),
                json.text("step"),
                json.constant("direction", Direction.class),
                json.id("commandId"),
                json.number("attempt"),
                json.text("inReplyTo"),
                json.constant("outcome", SagaReply.Outcome.class),
                json.optionalText("traceparent"),
                json.data());
    }

    /** Writes an answer as one line of JSON, fields in the order of the contract, times in UTC. */
    public String write(SagaReply reply) {
        Map<String, Object> fields = SagaFields.written(reply);
        fields.put("inReplyTo", reply.inReplyTo());
        fields.put("outcome", reply.outcome().name());
        return SagaFields.written(fields, reply);
    }
}
