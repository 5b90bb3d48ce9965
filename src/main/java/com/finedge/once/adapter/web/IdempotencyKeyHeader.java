package com.finedge.once.adapter.web;

import com.finedge.once.billing.IdempotencyKey;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the header of draft-ietf-httpapi-idempotency-key-header: a string of RFC 9651 in double quotes. Many clients send
 * the bare value, so that is read too, where it has no character that could mean something else.
 */
final class IdempotencyKeyHeader {

    static final String NAME = "Idempotency-Key";

    private static final Pattern FORM = Pattern.compile(
            "\"(?<quoted>(?:[\\x20-\\x7e&&[^\"\\\\]]|\\\\[\"\\\\])*)\"|(?<bare>[A-Za-z0-9][\\w.:/+=~-]*)");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

    private IdempotencyKeyHeader() {}

    static IdempotencyKey read(List<String> values) {
        if (values.isEmpty()) {
            throw Problem.IDEMPOTENCY_KEY_MISSING.because(
                    "send a key of your own that names this request, the same whenever you send it again");
        }
        Matcher header = FORM.matcher(values.get(0).strip());
        if (values.size() > 1 || !header.matches()) {
            throw Problem.IDEMPOTENCY_KEY_MALFORMED.because(
                    "must be sent once, as one string in double quotes and without parameters");
        }
        String quoted = header.group("quoted");
        try {
            return new IdempotencyKey(
                    quoted == null
                            ? header.group("bare")
                            : ESCAPE.matcher(quoted).replaceAll("$1"));
        } catch (IllegalArgumentException e) {
            throw Problem.IDEMPOTENCY_KEY_MALFORMED.because("the key " + e.getMessage(), e);
        }
    }
}
