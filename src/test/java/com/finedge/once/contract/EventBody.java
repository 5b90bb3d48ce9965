package com.finedge.once.contract;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** A message body put together from raw JSON values, so that it can be wrong in every way a text can. */
final class EventBody {

    private final Map<String, String> rawValues;

    private EventBody(Map<String, String> rawValues) {
        this.rawValues = rawValues;
    }

    /** The base body of the field cases, its event and charge named by the number. */
    static EventBody numbered(int number) {
        return new EventBody(new LinkedHashMap<>())
                .with("schemaVersion", "1")
                .with("eventId", quote("e-%04d".formatted(number)))
                .with("chargeId", quote("CHG-%d".formatted(number)))
                .with("accountId", quote("ACC-42"))
                .with("chargeType", quote("SMS_ALERT_FEE"))
                .with("amount", quote("19.90"))
                .with("currency", quote("EUR"))
                .with("dueAt", quote("2026-03-01T00:00:00Z"))
                .with("occurredAt", quote("2026-03-01T10:00:00Z"));
    }

    EventBody with(String field, String rawValue) {
        Map<String, String> copy = new LinkedHashMap<>(rawValues);
        copy.put(field, rawValue);
        return new EventBody(copy);
    }

    EventBody without(String field) {
        Map<String, String> copy = new LinkedHashMap<>(rawValues);
        copy.remove(field);
        return new EventBody(copy);
    }

    String json() {
        return rawValues.entrySet().stream()
                .map(entry -> quote(entry.getKey()) + ":" + entry.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    static String quote(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    /** What SNS delivers to a queue without raw message delivery. */
    static String snsEnvelope(String type, String message) {
        return "{\"Type\":" + quote(type)
                + ",\"MessageId\":\"m-1\",\"TopicArn\":\"arn:aws:sns:eu-west-1:000000000000:t\",\"Message\":"
                + quote(message) + ",\"Timestamp\":\"2026-03-01T10:00:01Z\"}";
    }
}
