package com.finedge.once.adapter.json;

import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.SagaNotice;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads {@link SagaNotice}s from JSON text, strictly, and writes them; safe for many threads. */
public final class SagaNoticeJson {

    /**
     * The type of a message of whatever kind.
     *
     * @throws InvalidMessageException where the body isn't exactly one JSON object with a type
     */
    public String typeOf(String body) {
        return SagaFields.of(body).text("type");
    }

    /**
     * Reads one notice; fields that the contract doesn't name are skipped.
     *
     * @throws InvalidMessageException where the body isn't exactly one valid notice; nothing else is thrown for any text
     */
    public SagaNotice read(String body) {
        SagaFields json = SagaFields.of(body);
        return new SagaNotice(
                json.text("id"),
                json.text("type"),
                json.text("source"),
                json.time("time"),
                json.text("businessKey"),
                json.optionalText("traceparent"),
                json.data());
    }

    /** Writes a notice as one line of JSON, fields in the order of the contract, times in UTC. */
    public String write(SagaNotice notice) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", notice.id());
        fields.put("type", notice.type());
        fields.put("source", notice.source());
        fields.put("time", notice.time().toString());
        fields.put("businessKey", notice.businessKey());
        notice.traceparent().ifPresent(context -> fields.put("traceparent", context));
        fields.put("data", notice.data());
        return SagaFields.line(fields);
    }
}
