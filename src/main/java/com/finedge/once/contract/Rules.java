package com.finedge.once.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.finedge.once.contract.InvalidMessageException.Code;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * What the fields of all messages keep to; each method throws {@link InvalidMessageException} where the rule is broken,
 * for null too.
 */
final class Rules {

    private static final Pattern KEY =
            Pattern.compile("(?!(?i:null|none|nil|undefined|nan)\\z)[A-Za-z0-9][A-Za-z0-9._:-]{0,127}");
    private static final Pattern WORD = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");
    private static final Pattern REFERENCE = Pattern.compile("[A-Za-z0-9._:/-]{1,128}");
    private static final Pattern TEXT = Pattern.compile("[!-~]([ -~]{0,254}[!-~])?");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");
    private static final Pattern MESSAGE_TYPE = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}\\.v[1-9][0-9]{0,3}");
    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9_-]{1,80}");
    private static final Pattern FIELD = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,63}");
    private static final Pattern TRACEPARENT =
            Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");
    private static final int DEEPEST = 8;
    private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");
    private static final Pattern AMOUNT = Pattern.compile("(0|[1-9][0-9]{0,17})(\\.[0-9]+)?");
    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

    private Rules() {}

    static void version(int sent, int known) {
        if (sent != known) {
            throw new InvalidMessageException(
                    Code.UNSUPPORTED_VERSION, "schemaVersion", "only version " + known + " is known");
        }
    }

    static void type(String sent, String expected) {
        if (!present("eventType", sent).equals(expected)) {
            throw invalid("eventType", "must be " + expected);
        }
    }

    static void key(String field, String value) {
        matching(
                KEY,
                field,
                value,
                "1 to 128 letters, digits and . _ : - that begin with a letter or digit and aren't a word for no value");
    }

    static void word(String field, String value) {
        matching(WORD, field, value, "upper-case letters, digits and underscores, at most 64");
    }

    static void reference(String field, String value) {
        matching(REFERENCE, field, value, "1 to 128 letters, digits and . _ : / -");
    }

    static void text(String field, String value) {
        matching(TEXT, field, value, "1 to 256 printable ASCII characters without blanks around them");
    }

    static void name(String field, String value) {
        matching(NAME, field, value, "lower-case letters, digits and hyphens, at most 63, the first a letter");
    }

    static void messageType(String field, String value) {
        matching(
                MESSAGE_TYPE,
                field,
                value,
                "letters and digits, the first an upper-case letter, then .v and a version");
    }

    static void queue(String field, String value) {
        matching(QUEUE, field, value, "1 to 80 letters, digits, hyphens and underscores");
    }

    static void traceparent(String field, String value) {
        matching(TRACEPARENT, field, value, "a W3C trace context of version 00");
    }

    static void counted(String field, int value) {
        if (value < 1) {
            throw invalid(field, "must be counted from 1");
        }
    }

    /** The values, copied to the innermost. */
    static Map<String, Object> data(String field, Map<String, Object> values) {
        return object(field, present(field, values), DEEPEST);
    }

    private static Map<String, Object> object(String field, Map<?, ?> values, int depth) {
        Map<String, Object> copy = new LinkedHashMap<>();
        for (Map.Entry<?, ?> value : values.entrySet()) {
            // Refused by the name of the whole: that of a value comes from the message.
            if (!(value.getKey() instanceof String name) || !FIELD.matcher(name).matches()) {
                throw invalid(field, "must name its values by letters, digits and underscores, the first a letter");
            }
            copy.put(name, value(field, value.getValue(), depth));
        }
        return Collections.unmodifiableMap(copy);
    }

    private static Object value(String field, Object value, int depth) {
        if (depth == 0) {
            throw invalid(field, "must be at most eight levels deep");
        }
        if (value instanceof String || value instanceof Boolean || value instanceof Long) {
            return value;
        }
        if (value instanceof Integer number) {
            return number.longValue();
        }
        if (value instanceof Map<?, ?> map) {
            return object(field, map, depth - 1);
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            list.forEach(item -> copy.add(value(field, item, depth - 1)));
            return Collections.unmodifiableList(copy);
        }
        throw new InvalidMessageException(
                Code.WRONG_TYPE,
                field,
                "must hold texts, whole numbers, true or false, lists and objects, and no null");
    }

    /** The amount with as many decimals as its currency has; the currency is judged first. */
    static String amount(String amount, String currency) {
        int decimals = decimalsOf(currency);
        matching(AMOUNT, "amount", amount, "a plain decimal of at most 18 digits before the point");
        int point = amount.indexOf('.');
        // Counted before it becomes a number: converting a text of endless decimals would take seconds.
        if (point >= 0 && amount.length() - point - 1 > decimals) {
            throw invalid("amount", "must have no more decimals than its currency");
        }
        BigDecimal value = new BigDecimal(amount).setScale(decimals);
        if (value.signum() == 0) {
            throw invalid("amount", "must be positive");
        }
        return value.toPlainString();
    }

    /** The time, cut to microseconds. */
    static Instant time(String field, Instant value) {
        if (present(field, value).isBefore(EARLIEST) || !value.isBefore(END)) {
            throw invalid(field, "must be at or after 2000-01-01 and before 2100-01-01");
        }
        // PostgreSQL keeps microseconds; a finer time would come back changed.
        return value.truncatedTo(ChronoUnit.MICROS);
    }

    /** Stable over repeats. A hash, since a charge id and a word behind it could be longer than a key. */
    static String eventId(String chargeId, String kind) {
        key("chargeId", chargeId);
        return UUID.nameUUIDFromBytes((chargeId + ":" + kind).getBytes(UTF_8)).toString();
    }

    /** The value itself. Nothing keeps a caller without a null checker from handing in null. */
    static <T> T present(String field, T value) {
        if (value == null) {
            throw new InvalidMessageException(Code.MISSING_FIELD, field, "is required");
        }
        return value;
    }

    private static int decimalsOf(String code) {
        matching(CURRENCY, "currency", code, "an upper-case ISO 4217 code");
        int decimals;
        try {
            decimals = Currency.getInstance(code).getDefaultFractionDigits();
        } catch (IllegalArgumentException unknown) {
            throw invalid("currency", "must be a known ISO 4217 code");
        }
        if (decimals < 0) {
            throw invalid("currency", "must be a currency that has fraction digits");
        }
        return decimals;
    }

    private static void matching(Pattern pattern, String field, String value, String rule) {
        if (!pattern.matcher(present(field, value)).matches()) {
            throw invalid(field, "must be " + rule);
        }
    }

    private static InvalidMessageException invalid(String field, String rule) {
        return new InvalidMessageException(Code.INVALID_VALUE, field, rule);
    }
}
