package com.finedge.once.contract;

import static com.finedge.once.contract.EventBody.quote;
import static com.finedge.once.contract.EventBody.snsEnvelope;

import java.time.Instant;
import java.util.List;

/** The inputs of the field cases that must be accepted, with the event that each of them is. */
public final class ValidBodies {

    /**
     * One such body.
     *
     * @param name the case's number and what is special, unique
     * @param event what it says, written by hand; every charge but {@code CHG-1001} occurs once
     */
    public record ValidBody(String name, String body, ChargeDueEvent event) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final String BASE_TIME = "2026-03-01T10:00:00Z";

    private ValidBodies() {}

    /** Every body; those of charge {@code CHG-1001} are copies of one event. */
    public static List<ValidBody> all() {
        String base = EventBody.numbered(1001).json();
        return List.of(
                new ValidBody("base body", base, event(1001, "19.90", "EUR", BASE_TIME)),
                new ValidBody(
                        "C28 SNS notification",
                        snsEnvelope("Notification", base),
                        event(1001, "19.90", "EUR", BASE_TIME)),
                extra(2801, "C28 extra field Message", "Message", quote("please confirm")),
                extra(2802, "C28 extra field Message that holds an event", "Message", quote(base)),
                extra(2803, "C28 extra field Type", "Type", quote("Notification")),
                extra(3001, "C30 base64 in an extra field", "note", quote("eyJjaGFyZ2VJZCI6IkNIRy0xMDAxIn0=")),
                extra(3002, "C30 UTF-8 decoded as Latin-1 in an extra field", "customer", quote("JosÃ©")),
                amount(3101, "C31 two decimals", "19.90", "EUR", "19.90"),
                amount(3102, "C31 one decimal", "19.9", "EUR", "19.90"),
                amount(3103, "C31 a tenth", "0.1", "EUR", "0.10"),
                amount(3104, "C31 half", "1990.5", "EUR", "1990.50"),
                amount(3105, "C31 more digits than a double", "99999999999999.99", "EUR", "99999999999999.99"),
                amount(3106, "C31 beyond 2^53", "9007199254740993", "EUR", "9007199254740993.00"),
                amount(3107, "C31 trailing zeros", "600.00", "EUR", "600.00"),
                amount(3301, "C33 no decimals", "10000", "JPY", "10000"),
                amount(3302, "C33 three decimals", "1.234", "KWD", "1.234"),
                time(3501, "C35 offset in the gap of local time", "2026-03-29T02:30:00+01:00", "2026-03-29T01:30:00Z"),
                time(3502, "C35 nine fraction digits", "2026-03-01T10:00:00.123456789Z", "2026-03-01T10:00:00.123456Z"),
                extra(3701, "C37 known type with an extra field method", "method", quote("CRYPTO")));
    }

    private static ValidBody extra(int number, String name, String field, String rawValue) {
        return new ValidBody(
                name,
                EventBody.numbered(number).with(field, rawValue).json(),
                event(number, "19.90", "EUR", BASE_TIME));
    }

    private static ValidBody amount(int number, String name, String sent, String currency, String kept) {
        return new ValidBody(
                name,
                EventBody.numbered(number)
                        .with("amount", quote(sent))
                        .with("currency", quote(currency))
                        .json(),
                event(number, kept, currency, BASE_TIME));
    }

    private static ValidBody time(int number, String name, String sent, String kept) {
        return new ValidBody(
                name,
                EventBody.numbered(number).with("occurredAt", quote(sent)).json(),
                event(number, "19.90", "EUR", kept));
    }

    private static ChargeDueEvent event(int number, String amount, String currency, String occurredAt) {
        return new ChargeDueEvent(
                1,
                "e-" + number,
                "CHG-" + number,
                "ACC-42",
                "SMS_ALERT_FEE",
                amount,
                currency,
                Instant.parse("2026-03-01T00:00:00Z"),
                Instant.parse(occurredAt));
    }
}
