package com.finedge.once.adapter.json;

import com.finedge.once.contract.ChargeFailed;
import com.finedge.once.contract.ChargeOutcome;
import com.finedge.once.contract.ChargeRecovered;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import java.util.Optional;
import java.util.Set;

/** Reads {@link ChargeOutcome}s from JSON text, strictly and in one pass, and writes them; safe for many threads. */
public final class ChargeOutcomeJson {

    /** Those of both kinds: which one it is stands in one of them. */
    private static final Set<String> FIELDS = Set.of(
            "schemaVersion",
            "eventId",
            "eventType",
            "chargeId",
            "outcome",
            "amount",
            "currency",
            "debitReference",
            "code",
            "reason",
            "occurredAt");

    /**
     * Reads one outcome, or one SNS notification around one outcome; fields that the contract doesn't name for its kind
     * are skipped.
     *
     * @param body at most 256 KiB of UTF-8
     * @throws InvalidMessageException where the body isn't exactly one valid outcome; nothing else is thrown for any
     *     text
     */
    public ChargeOutcome read(String body) {
        StrictJson json = StrictJson.read(body, FIELDS, ChargeOutcome.CURRENT_VERSION);
        return switch (json.string("eventType")) {
            case ChargeRecovered.TYPE ->
                new ChargeRecovered(
                        ChargeOutcome.CURRENT_VERSION,
                        json.string("eventId"),
                        ChargeRecovered.TYPE,
                        json.string("chargeId"),
                        json.constant("outcome", ChargeRecovered.Outcome.class),
                        json.string("amount"),
                        json.string("currency"),
                        json.optionalString("debitReference"),
                        json.time("occurredAt"));
            case ChargeFailed.TYPE ->
                new ChargeFailed(
                        ChargeOutcome.CURRENT_VERSION,
                        json.string("eventId"),
                        ChargeFailed.TYPE,
                        json.string("chargeId"),
                        json.string("code"),
                        json.string("reason"),
                        json.time("occurredAt"));
            default ->
                throw new InvalidMessageException(
                        Code.INVALID_VALUE,
                        "eventType",
                        "must be " + ChargeRecovered.TYPE + " or " + ChargeFailed.TYPE);
        };
    }

    /** Writes an outcome as one line of JSON, fields in the order of the contract, times in UTC. */
    public String write(ChargeOutcome outcome) {
        return StrictJson.write(json -> {
            json.writeNumberField("schemaVersion", outcome.schemaVersion());
            json.writeStringField("eventId", outcome.eventId());
            json.writeStringField("eventType", outcome.eventType());
            json.writeStringField("chargeId", outcome.chargeId());
            switch (outcome) {
                case ChargeRecovered recovered -> {
                    json.writeStringField("outcome", recovered.outcome().name());
                    json.writeStringField("amount", recovered.amount());
                    json.writeStringField("currency", recovered.currency());
                    Optional<String> reference = recovered.debitReference();
                    if (reference.isPresent()) {
                        json.writeStringField("debitReference", reference.get());
                    }
                }
                case ChargeFailed failed -> {
                    json.writeStringField("code", failed.code());
                    json.writeStringField("reason", failed.reason());
                }
            }
            json.writeStringField("occurredAt", outcome.occurredAt().toString());
        });
    }
}
