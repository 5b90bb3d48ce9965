package com.finedge.once.adapter.json;

import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.InvalidMessageException;
import java.util.Set;

/** Reads {@link ChargeDueEvent}s from JSON text, strictly and in one pass, and writes them; safe for many threads. */
public final class ChargeDueEventJson {

    private static final Set<String> FIELDS = Set.of(
            "schemaVersion",
            "eventId",
            "chargeId",
            "accountId",
            "chargeType",
            "amount",
            "currency",
            "dueAt",
            "occurredAt");

    /**
     * Reads one event, or one SNS notification around one event; fields that the contract doesn't name are skipped.
     *
     * @param body at most 256 KiB of UTF-8
     * @throws InvalidMessageException where the body isn't exactly one valid event; nothing else is thrown for any text
     */
    public ChargeDueEvent read(String body) {
        StrictJson json = StrictJson.read(body, FIELDS, ChargeDueEvent.CURRENT_VERSION);
        return new ChargeDueEvent(
                ChargeDueEvent.CURRENT_VERSION,
                json.string("eventId"),
                json.string("chargeId"),
                json.string("accountId"),
                json.string("chargeType"),
                json.string("amount"),
                json.string("currency"),
                json.time("dueAt"),
                json.time("occurredAt"));
    }

    /** Writes an event as one line of JSON, fields in the order of the contract, times in UTC. */
    public String write(ChargeDueEvent event) {
        return StrictJson.write(json -> {
            json.writeNumberField("schemaVersion", event.schemaVersion());
            json.writeStringField("eventId", event.eventId());
            json.writeStringField("chargeId", event.chargeId());
            json.writeStringField("accountId", event.accountId());
            json.writeStringField("chargeType", event.chargeType());
            json.writeStringField("amount", event.amount());
            json.writeStringField("currency", event.currency());
            json.writeStringField("dueAt", event.dueAt().toString());
            json.writeStringField("occurredAt", event.occurredAt().toString());
        });
    }
}
