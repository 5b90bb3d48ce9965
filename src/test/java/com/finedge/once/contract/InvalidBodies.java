package com.finedge.once.contract;

import static com.finedge.once.contract.EventBody.quote;
import static com.finedge.once.contract.EventBody.snsEnvelope;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.finedge.once.contract.InvalidMessageException.Code;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;

/** The inputs of the field cases that must be refused, each a body that a queue accepts. */
public final class InvalidBodies {

    /**
     * One such body.
     *
     * @param name the case's number and what is wrong, unique
     * @param code what the refusal must say
     */
    public record InvalidBody(String name, String body, Code code) {

        /** Whether the contract accepts the body, so that the refusal is left to the application's configuration. */
        public boolean isReadable() {
            return code == Code.UNKNOWN_CHARGE_TYPE;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<InvalidBody> ALL = new InvalidBodies().build();

    private final List<InvalidBody> bodies = new ArrayList<>();

    private InvalidBodies() {}

    /** Every body; the only charge type that they take for known is {@code SMS_ALERT_FEE}. */
    public static List<InvalidBody> all() {
        return ALL;
    }

    private List<InvalidBody> build() {
        blankKeys();
        bodiesThatAreNoMessage();
        snsEnvelopes();
        encodings();
        amounts();
        currencies();
        times();
        typesAndVersions();
        return List.copyOf(bodies);
    }

    private void blankKeys() {
        for (String key : List.of("chargeId", "eventId", "accountId")) {
            without("C06", key);
            with("C06", key, "null", Code.MISSING_FIELD);
            with("C06", key, quote(""), Code.INVALID_VALUE);
            with("C06", key, quote("   "), Code.INVALID_VALUE);
            with("C06", key, quote("null"), Code.INVALID_VALUE);
            with("C06", key, "{}", Code.WRONG_TYPE);
            with("C06", key, "[]", Code.WRONG_TYPE);
        }
    }

    private void bodiesThatAreNoMessage() {
        add("C19 plain text", "not json", Code.NOT_JSON);
        add("C19 one blank", " ", Code.NOT_JSON);
        add("C19 an array", "[]", Code.WRONG_TYPE);
    }

    private void snsEnvelopes() {
        add("C28 confirmation", snsEnvelope("SubscriptionConfirmation", "please confirm"), Code.SNS_ENVELOPE);
        add("C28 end of subscription", snsEnvelope("UnsubscribeConfirmation", "goodbye"), Code.SNS_ENVELOPE);
        changed(
                "C28 double envelope",
                body -> snsEnvelope("Notification", snsEnvelope("Notification", body)),
                Code.SNS_ENVELOPE);
        changed(
                "C28 confirmation around an event",
                body -> snsEnvelope("SubscriptionConfirmation", body),
                Code.SNS_ENVELOPE);
        add("C28 notification of plain text", snsEnvelope("Notification", "please confirm"), Code.NOT_JSON);
    }

    private void encodings() {
        changed("C30 base64", InvalidBodies::base64, Code.NOT_JSON);
        changed("C30 base64 in a JSON string", body -> quote(base64(body)), Code.WRONG_TYPE);
        changed("C30 base64 in an SNS envelope", body -> snsEnvelope("Notification", base64(body)), Code.NOT_JSON);
        changed("C30 byte order mark", body -> "\uFEFF" + body, Code.NOT_JSON);
        changed("C30 byte order mark in SNS", body -> snsEnvelope("Notification", "\uFEFF" + body), Code.NOT_JSON);
        changed("C30 JSON in a JSON string", EventBody::quote, Code.WRONG_TYPE);
    }

    private void amounts() {
        for (String number : List.of(
                "19.90", "0.1", "1990.5", "99999999999999.99", "9007199254740993", "-0.00", "0", "-5.00", "1e2")) {
            with("C31", "amount", number, Code.WRONG_TYPE);
        }
        for (String text : List.of("-0.00", "0", "0.00", "-5.00", " 19.90 ", "19,90", "1e2", "１９.９０", "19.901")) {
            with("C31", "amount", quote(text), Code.INVALID_VALUE);
        }
    }

    private void currencies() {
        amountIn("JPY", "10.5");
        amountIn("JPY", "10000.00");
        amountIn("KWD", "1.2345");
        amountIn("EUR", "1.234");
        without("C33", "currency");
        with("C33", "currency", "null", Code.MISSING_FIELD);
        for (String code : List.of("", "eur", "EURO", "XXX", "₺")) {
            with("C33", "currency", quote(code), Code.INVALID_VALUE);
        }
    }

    private void times() {
        for (String field : List.of("occurredAt", "dueAt")) {
            with("C35", field, "1772359200000", Code.WRONG_TYPE);
            with("C35", field, "1772359200", Code.WRONG_TYPE);
            for (String text : List.of(
                    "1772359200",
                    "1772359200000",
                    "2026-03-01T10:00:00",
                    "2026-03-01T10:00:00+0100",
                    "2026-03-01T23:59:60Z",
                    "58133-03-01T10:00:00Z",
                    "+58133-03-01T10:00:00Z",
                    "1970-01-01T00:00:00Z",
                    "2100-01-01T00:00:00Z")) {
                with("C35", field, quote(text), Code.INVALID_VALUE);
            }
        }
    }

    private void typesAndVersions() {
        with("C37", "chargeType", quote("SMS_ALERT_FEE_V2"), Code.UNKNOWN_CHARGE_TYPE);
        with("C37", "chargeType", quote("sms_alert_fee"), Code.INVALID_VALUE);
        with("C37", "chargeType", quote(""), Code.INVALID_VALUE);
        with("C37", "chargeType", "null", Code.MISSING_FIELD);
        with("C37", "chargeType", "7", Code.WRONG_TYPE);
        without("C37", "chargeType");
        with("C37", "schemaVersion", "2", Code.UNSUPPORTED_VERSION);
        with("C37", "schemaVersion", "0", Code.UNSUPPORTED_VERSION);
        with("C37", "schemaVersion", quote("1"), Code.WRONG_TYPE);
        with("C37", "schemaVersion", "1.5", Code.WRONG_TYPE);
        without("C37", "schemaVersion");
        add(
                "C37 version 2 with other fields",
                "{\"schemaVersion\":2,\"charge\":{\"id\":\"CHG-1001\",\"amount\":1990}}",
                Code.UNSUPPORTED_VERSION);
    }

    private void with(String caseNumber, String field, String rawValue, Code code) {
        add(
                caseNumber + " " + field + " " + rawValue,
                next().with(field, rawValue).json(),
                code);
    }

    private void without(String caseNumber, String field) {
        add(caseNumber + " " + field + " absent", next().without(field).json(), Code.MISSING_FIELD);
    }

    private void amountIn(String currency, String amount) {
        add(
                "C33 " + amount + " " + currency,
                next().with("amount", quote(amount))
                        .with("currency", quote(currency))
                        .json(),
                Code.INVALID_VALUE);
    }

    private void changed(String name, UnaryOperator<String> change, Code code) {
        add(name, change.apply(next().json()), code);
    }

    private void add(String name, String body, Code code) {
        bodies.add(new InvalidBody(name, body, code));
    }

    // Every body is about a charge of its own, so that a claim that is made in spite of all tells which one made it.
    private EventBody next() {
        return EventBody.numbered(5001 + bodies.size());
    }

    private static String base64(String body) {
        return Base64.getEncoder().encodeToString(body.getBytes(UTF_8));
    }
}
