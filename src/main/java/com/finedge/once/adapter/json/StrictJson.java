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
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of one message, read from JSON text strictly and in one pass; and how messages are written. */
final class StrictJson {

    /** The longest body that is read, in bytes of UTF-8. */
    static final int MAX_BODY_BYTES = 256 * 1024;

    private static final JsonFactory JSON = factory();

    private static final List<String> SNS_FIELDS = List.of("Type", "MessageId", "TopicArn", "Message");

    // RFC 3339 with an upper-case T and Z; not -00:00, which says that the sender's offset is unknown and which
    // validators judge differently; the greatest offset is java.time's.
    private static final Pattern TIME = Pattern.compile("20[0-9]{2}-[0-9]{2}-[0-9]{2}"
            + "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?"
            + "(Z|(?!-00:00)[+-]((0[0-9]|1[0-7]):[0-5][0-9]|18:00))");

    /** What every message is read with, whatever is made of it. */
    static JsonFactory factory() {
        return JsonFactory.builder()
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
    }

    private record Value(JsonToken token, @Nullable String text) {}

    /** What is written between the braces of a message. */
    @FunctionalInterface
    interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    private final Map<String, Value> fields;

    private StrictJson(Map<String, Value> fields) {
        this.fields = fields;
    }

    /**
     * Reads one message, or one SNS notification around one message.
     *
     * <p>Fields of other names are skipped; an object is taken for an SNS envelope only where it has none of the
     * message's fields. The version is judged before every other field, so that a message of a later version says so
     * whatever else has changed in it.
     *
     * @param body at most {@link #MAX_BODY_BYTES}
     * @param names the message's fields
     * @param version the one version that is known
     * @throws InvalidMessageException where the body isn't exactly one JSON object of this version; nothing else is
     *     thrown for any text
     */
    static StrictJson read(String body, Set<String> names, int version) {
        requireReadableSize(body);
        Map<String, Value> fields = messageFieldsOf(body, names);
        if (isSnsEnvelope(fields, names)) {
            fields = messageFieldsOf(new StrictJson(fields).snsMessage(), names);
            if (isSnsEnvelope(fields, names)) {
                throw new InvalidMessageException(Code.SNS_ENVELOPE, "an envelope within an envelope is not unwrapped");
            }
        }
        StrictJson message = new StrictJson(fields);
        message.requireVersion(version);
        return message;
    }

    /**
     * Reads one request, which has no fields of other names: a mistyped one would be an optional one left out.
     *
     * @param body at most {@link #MAX_BODY_BYTES}
     * @param names in the order in which a refusal lists them
     * @throws InvalidMessageException where the body isn't exactly one JSON object of such fields; nothing else is
     *     thrown for any text
     */
    static StrictJson readRequest(String body, List<String> names) {
        requireReadableSize(body);
        Map<String, Value> fields = fieldsOf(body, name -> {
            if (!names.contains(name)) {
                throw new InvalidMessageException(
                        Code.INVALID_VALUE, "no other fields are known than " + String.join(", ", names));
            }
            return true;
        });
        return new StrictJson(fields);
    }

    /** Writes a message as one line. */
    static String write(Writing fields) {
        StringWriter text = new StringWriter(384);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            fields.to(json);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    /** The text of a required field. */
    String string(String field) {
        return text(field, present(field));
    }

    /** The text of a field that may be absent; null isn't absence but a wrong type. */
    Optional<String> optionalString(String field) {
        return Optional.ofNullable(fields.get(field)).map(value -> text(field, value));
    }

    /** The text of a required field as one of the constants. */
    <E extends Enum<E>> E constant(String field, Class<E> type) {
        String name = string(field);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        throw new InvalidMessageException(
                Code.INVALID_VALUE, field, "must be one of " + Arrays.toString(type.getEnumConstants()));
    }

    /** The time of a required field. */
    Instant time(String field) {
        return time(field, string(field));
    }

    /** A text as a time, in the one form of all messages. */
    static Instant time(String field, String text) {
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

    private void requireVersion(int version) {
        Value sent = present("schemaVersion");
        if (sent.token != JsonToken.VALUE_NUMBER_INT) {
            throw new InvalidMessageException(
                    Code.WRONG_TYPE, "schemaVersion", "must be a JSON number without fraction and exponent");
        }
        if (!Integer.toString(version).equals(sent.text)) {
            throw new InvalidMessageException(
                    Code.UNSUPPORTED_VERSION, "schemaVersion", "only version " + version + " is known");
        }
    }

    private String snsMessage() {
        for (String name : SNS_FIELDS) {
            Value value = fields.get(name);
            if (value == null || value.token != JsonToken.VALUE_STRING) {
                throw new InvalidMessageException(
                        Code.SNS_ENVELOPE, name, "must be a string, as in every SNS notification");
            }
        }
        if (!string("Type").equals("Notification")) {
            throw new InvalidMessageException(Code.SNS_ENVELOPE, "Type", "only a notification is unwrapped");
        }
        return string("Message");
    }

    private Value present(String field) {
        Value value = fields.get(field);
        if (value == null || value.token == JsonToken.VALUE_NULL) {
            throw new InvalidMessageException(Code.MISSING_FIELD, field, "is required");
        }
        return value;
    }

    private static String text(String field, Value value) {
        if (value.token != JsonToken.VALUE_STRING || value.text == null) {
            throw new InvalidMessageException(Code.WRONG_TYPE, field, "must be a JSON string");
        }
        return value.text;
    }

    private static void requireReadableSize(String body) {
        // A character takes one to three bytes, so only a long body has to be encoded to know.
        if (body.length() > MAX_BODY_BYTES
                || (body.length() > MAX_BODY_BYTES / 3 && body.getBytes(UTF_8).length > MAX_BODY_BYTES)) {
            throw new InvalidMessageException(
                    Code.TOO_LARGE, "the body must have at most " + MAX_BODY_BYTES + " bytes of UTF-8");
        }
    }

    /** The fields that the contract or an SNS envelope names. */
    private static Map<String, Value> messageFieldsOf(String text, Set<String> names) {
        return fieldsOf(text, name -> names.contains(name) || SNS_FIELDS.contains(name));
    }

    /** The fields with a name that is wanted, of the one object that the text must be. */
    private static Map<String, Value> fieldsOf(String text, Predicate<String> wanted) {
        if (text.startsWith("\uFEFF")) {
            throw new InvalidMessageException(Code.NOT_JSON, "must not begin with a byte order mark");
        }
        Map<String, Value> fields = new HashMap<>();
        try (JsonParser parser = JSON.createParser(text)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new InvalidMessageException(Code.NOT_JSON, "must not be blank");
            }
            if (first != JsonToken.START_OBJECT) {
                throw new InvalidMessageException(Code.WRONG_TYPE, "must be a JSON object");
            }
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken token = parser.nextToken();
                if (wanted.test(name)) {
                    fields.put(name, new Value(token, token.isScalarValue() ? parser.getText() : null));
                }
                parser.skipChildren();
            }
            if (parser.nextToken() != null) {
                throw new InvalidMessageException(Code.NOT_JSON, "nothing may follow the JSON object");
            }
        } catch (StreamConstraintsException e) {
            throw new InvalidMessageException(
                    Code.TOO_LARGE, "must keep the limits on depth, fields, names and digits" + place(e));
        } catch (JsonProcessingException e) {
            // Jackson has no type of its own for this; without the text it would only be the less exact NOT_JSON.
            if (e.getOriginalMessage().startsWith("Duplicate field")) {
                throw new InvalidMessageException(
                        Code.DUPLICATE_FIELD, "an object must not name a field twice" + place(e));
            }
            throw new InvalidMessageException(Code.NOT_JSON, "must be strict JSON" + place(e));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return fields;
    }

    private static String place(JsonProcessingException e) {
        JsonLocation location = e.getLocation();
        return location == null ? "" : ": line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    private static boolean isSnsEnvelope(Map<String, Value> fields, Set<String> names) {
        return fields.containsKey("Type") && fields.size() > 1 && Collections.disjoint(fields.keySet(), names);
    }
}
