package com.finedge.once.adapter.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@link ChargeDueEvent}s from JSON text, strictly and in one pass, and writes them; safe for many threads. */
public final class ChargeDueEventJson {

    /** The longest body that is read, in bytes of UTF-8. */
    public static final int MAX_BODY_BYTES = 256 * 1024;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(32)
                    .maxNameLength(256)
                    .maxNumberLength(100)
                    .maxStringLength(MAX_BODY_BYTES)
                    .maxDocumentLength(MAX_BODY_BYTES)
                    .maxTokenCount(10_000)
                    .build())
            // Names come from strangers: they must not fill the table that all parsers share.
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private static final Set<String> EVENT_FIELDS = Set.of(
            "schemaVersion",
            "eventId",
            "chargeId",
            "accountId",
            "chargeType",
            "amount",
            "currency",
            "dueAt",
            "occurredAt");
    private static final List<String> SNS_FIELDS = List.of("Type", "MessageId", "TopicArn", "Message");

    // RFC 3339 with an upper-case T and Z; not -00:00, which says that the sender's offset is unknown and which
    // validators
    // judge differently; the greatest offset is java.time's.
    private static final Pattern TIME = Pattern.compile("20[0-9]{2}-[0-9]{2}-[0-9]{2}"
            + "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?"
            + "(Z|(?!-00:00)[+-]((0[0-9]|1[0-7]):[0-5][0-9]|18:00))");

    private record Value(JsonToken token, @Nullable String text) {}

    /**
     * Reads one event, or one SNS notification around one event.
     *
     * <p>Fields that the contract doesn't name are skipped; an object is taken for an SNS envelope only where it has
     * none of the event's fields. The version is judged before every other field, so that a message of a later version
     * says so whatever else has changed in it.
     *
     * @param body at most {@link #MAX_BODY_BYTES}
     * @throws InvalidMessageException where the body isn't exactly one valid event; nothing else is thrown for any text
     */
    public ChargeDueEvent read(String body) {
        requireReadableSize(body);
        Map<String, Value> fields = fieldsOf(body);
        if (isSnsEnvelope(fields)) {
            fields = fieldsOf(messageOf(fields));
            if (isSnsEnvelope(fields)) {
                throw new InvalidMessageException(
                        Code.SNS_ENVELOPE, null, "an envelope within an envelope is not unwrapped");
            }
        }
        requireCurrentVersion(fields);
        return new ChargeDueEvent(
                ChargeDueEvent.CURRENT_VERSION,
                string(fields, "eventId"),
                string(fields, "chargeId"),
                string(fields, "accountId"),
                string(fields, "chargeType"),
                string(fields, "amount"),
                string(fields, "currency"),
                time(fields, "dueAt"),
                time(fields, "occurredAt"));
    }

    /** Writes an event as one line of JSON, fields in the order of the contract, times in UTC. */
    public String write(ChargeDueEvent event) {
        StringWriter text = new StringWriter(384);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("schemaVersion", event.schemaVersion());
            json.writeStringField("eventId", event.eventId());
            json.writeStringField("chargeId", event.chargeId());
            json.writeStringField("accountId", event.accountId());
            json.writeStringField("chargeType", event.chargeType());
            json.writeStringField("amount", event.amount());
            json.writeStringField("currency", event.currency());
            json.writeStringField("dueAt", event.dueAt().toString());
            json.writeStringField("occurredAt", event.occurredAt().toString());
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static void requireReadableSize(String body) {
        // A character takes one to three bytes, so only a long body has to be encoded to know.
        if (body.length() > MAX_BODY_BYTES
                || (body.length() > MAX_BODY_BYTES / 3 && body.getBytes(UTF_8).length > MAX_BODY_BYTES)) {
            throw new InvalidMessageException(
                    Code.TOO_LARGE, null, "the body must have at most " + MAX_BODY_BYTES + " bytes of UTF-8");
        }
    }

    /** The fields that the contract or an SNS envelope names, of the one object that the text must be. */
    private static Map<String, Value> fieldsOf(String text) {
        if (text.startsWith("\uFEFF")) {
            throw new InvalidMessageException(Code.NOT_JSON, null, "must not begin with a byte order mark");
        }
        Map<String, Value> fields = new HashMap<>();
        try (JsonParser parser = JSON.createParser(text)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new InvalidMessageException(Code.NOT_JSON, null, "must not be blank");
            }
            if (first != JsonToken.START_OBJECT) {
                throw new InvalidMessageException(Code.WRONG_TYPE, null, "must be a JSON object");
            }
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                if (EVENT_FIELDS.contains(name) || SNS_FIELDS.contains(name)) {
                    fields.put(name, new Value(token, token.isScalarValue() ? parser.getText() : null));
                }
                parser.skipChildren();
            }
            if (parser.nextToken() != null) {
                throw new InvalidMessageException(Code.NOT_JSON, null, "nothing may follow the JSON object");
            }
        } catch (StreamConstraintsException e) {
            throw new InvalidMessageException(
                    Code.TOO_LARGE, null, "must keep the limits on depth, fields, names and digits" + place(e));
        } catch (JsonProcessingException e) {
            // Jackson has no type of its own for this; without the text it would only be the less exact NOT_JSON.
            if (e.getOriginalMessage().startsWith("Duplicate field")) {
                throw new InvalidMessageException(
                        Code.DUPLICATE_FIELD, null, "an object must not name a field twice" + place(e));
            }
            throw new InvalidMessageException(Code.NOT_JSON, null, "must be strict JSON" + place(e));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return fields;
    }

    private static String place(JsonProcessingException e) {
        JsonLocation location = e.getLocation();
        return location == null ? "" : ": line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    private static boolean isSnsEnvelope(Map<String, Value> fields) {
        return fields.containsKey("Type") && fields.size() > 1 && Collections.disjoint(fields.keySet(), EVENT_FIELDS);
    }

    private static String messageOf(Map<String, Value> envelope) {
        for (String name : SNS_FIELDS) {
            Value value = envelope.get(name);
            if (value == null || value.token != JsonToken.VALUE_STRING) {
                throw new InvalidMessageException(
                        Code.SNS_ENVELOPE, name, "must be a string, as in every SNS notification");
            }
        }
        if (!string(envelope, "Type").equals("Notification")) {
            throw new InvalidMessageException(Code.SNS_ENVELOPE, "Type", "only a notification is unwrapped");
        }
        return string(envelope, "Message");
    }

    private static void requireCurrentVersion(Map<String, Value> fields) {
        Value version = present(fields, "schemaVersion");
        if (version.token != JsonToken.VALUE_NUMBER_INT) {
            throw new InvalidMessageException(
                    Code.WRONG_TYPE, "schemaVersion", "must be a JSON number without fraction and exponent");
        }
        if (!Integer.toString(ChargeDueEvent.CURRENT_VERSION).equals(version.text)) {
            throw new InvalidMessageException(
                    Code.UNSUPPORTED_VERSION,
                    "schemaVersion",
                    "only version " + ChargeDueEvent.CURRENT_VERSION + " is known");
        }
    }

    private static Value present(Map<String, Value> fields, String field) {
        Value value = fields.get(field);
        if (value == null || value.token == JsonToken.VALUE_NULL) {
            throw new InvalidMessageException(Code.MISSING_FIELD, field, "is required");
        }
        return value;
    }

    private static String string(Map<String, Value> fields, String field) {
        Value value = present(fields, field);
        if (value.token != JsonToken.VALUE_STRING || value.text == null) {
            throw new InvalidMessageException(Code.WRONG_TYPE, field, "must be a JSON string");
        }
        return value.text;
    }

    private static Instant time(Map<String, Value> fields, String field) {
        String text = string(fields, field);
        if (TIME.matcher(text).matches()) {
            try {
                return OffsetDateTime.parse(text).toInstant();
            } catch (DateTimeParseException notInTheCalendar) {
                // Falls through to the one refusal; the parser's own message would quote the value.
            }
        }
        throw new InvalidMessageException(
                Code.INVALID_VALUE,
                field,
                "must be an RFC 3339 time of the years 2000 to 2099 with Z or a +hh:mm offset and at most 9 fraction digits");
    }
}
