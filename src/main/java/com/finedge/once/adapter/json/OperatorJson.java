package com.finedge.once.adapter.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.finedge.once.audit.Operator;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import com.finedge.once.deadletter.Correction;
import com.finedge.once.deadletter.LetterFilter;
import com.finedge.once.deadletter.RedriveOrder;
import com.finedge.once.deadletter.Terms;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What operators ask for, and what they are shown. A field that isn't known is refused: it may be a mistyped one. */
public final class OperatorJson {

    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();

    private static final Set<String> REDRIVE = Set.of(
            "why",
            "dryRun",
            "reasons",
            "chargeId",
            "olderThan",
            "youngerThan",
            "includeRejected",
            "force",
            "batch",
            "rate",
            "maxInFlight");

    /**
     * Reads {@code {"why": …}} with all that a redrive may be told besides; a dry run where nothing else is said.
     *
     * @throws InvalidMessageException where the body is something else
     */
    public RedriveOrder readRedrive(String who, String body) {
        JsonNode json = read(body, REDRIVE);
        return valid(() -> new RedriveOrder(
                new Operator(who, text(json, "why")),
                new LetterFilter(
                        texts(json, "reasons"),
                        optionalText(json, "chargeId"),
                        duration(json, "olderThan"),
                        duration(json, "youngerThan")),
                new Terms(flag(json, "includeRejected", false), flag(json, "force", false)),
                flag(json, "dryRun", true),
                number(json, "batch", RedriveOrder.DEFAULT_BATCH),
                number(json, "rate", RedriveOrder.DEFAULT_RATE),
                number(json, "maxInFlight", RedriveOrder.DEFAULT_IN_FLIGHT)));
    }

    /** Reads {@code {"why": …}}. */
    public Operator readReason(String who, String body) {
        JsonNode json = read(body, Set.of("why"));
        return valid(() -> new Operator(who, text(json, "why")));
    }

    /** Reads {@code {"why": …, "body": …}}, the body as a string: it is what the queue gets, to the byte. */
    public Correction readCorrection(String who, String body) {
        JsonNode json = read(body, Set.of("why", "body"));
        return valid(() -> new Correction(new Operator(who, text(json, "why")), text(json, "body")));
    }

    /** Writes records, lists and maps; times as ISO 8601, what isn't known is left out. */
    public String write(Object view) {
        try {
            return JSON.writeValueAsString(view);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode read(String body, Set<String> fields) {
        JsonNode json;
        try {
            json = JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new InvalidMessageException(Code.NOT_JSON, "the body must be one JSON object, each field once");
        }
        if (!json.isObject()) {
            throw new InvalidMessageException(Code.NOT_JSON, "the body must be one JSON object, each field once");
        }
        json.fieldNames().forEachRemaining(name -> {
            if (!fields.contains(name)) {
                throw new InvalidMessageException(Code.INVALID_VALUE, "there is a field that isn't known here");
            }
        });
        return json;
    }

    private interface Made<T> {
        T make();
    }

    /** The rules of the records are the rules of the request. */
    private static <T> T valid(Made<T> made) {
        try {
            return made.make();
        } catch (InvalidMessageException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new InvalidMessageException(Code.INVALID_VALUE, String.valueOf(e.getMessage()));
        }
    }

    private static String text(JsonNode json, String field) {
        String text = optionalText(json, field);
        if (text == null) {
            throw new InvalidMessageException(Code.MISSING_FIELD, field, "must be given");
        }
        return text;
    }

    private static @Nullable String optionalText(JsonNode json, String field) {
        JsonNode value = json.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isTextual()) {
            throw new InvalidMessageException(Code.WRONG_TYPE, field, "must be a string");
        }
        return value.textValue();
    }

    private static Set<String> texts(JsonNode json, String field) {
        JsonNode value = json.path(field);
        Set<String> texts = new LinkedHashSet<>();
        if (value.isMissingNode() || value.isNull()) {
            return texts;
        }
        if (!value.isArray()) {
            throw new InvalidMessageException(Code.WRONG_TYPE, field, "must be a list of strings");
        }
        value.forEach(entry -> {
            if (!entry.isTextual()) {
                throw new InvalidMessageException(Code.WRONG_TYPE, field, "must be a list of strings");
            }
            texts.add(entry.textValue());
        });
        return texts;
    }

    private static boolean flag(JsonNode json, String field, boolean otherwise) {
        JsonNode value = json.path(field);
        if (value.isMissingNode()) {
            return otherwise;
        }
        // Also null is refused: whoever writes a flag means something by it.
        if (!value.isBoolean()) {
            throw new InvalidMessageException(Code.WRONG_TYPE, field, "must be true or false");
        }
        return value.booleanValue();
    }

    private static int number(JsonNode json, String field, int otherwise) {
        JsonNode value = json.path(field);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw new InvalidMessageException(Code.WRONG_TYPE, field, "must be a whole number");
        }
        return value.intValue();
    }

    private static @Nullable Duration duration(JsonNode json, String field) {
        String text = optionalText(json, field);
        try {
            return text == null ? null : Duration.parse(text);
        } catch (DateTimeException e) {
            throw new InvalidMessageException(Code.INVALID_VALUE, field, "must be a duration such as PT2H");
        }
    }
}
