package com.finedge.once.support;

import java.util.UUID;

/** Charge events as their producer writes them. */
public final class Events {

    private Events() {}

    /** A charge id that no other test uses. */
    public static String newChargeId() {
        return "CHG-" + UUID.randomUUID();
    }

    /** A charge of 19.90 EUR, each time under a new event id. */
    public static String chargeDue(String chargeId) {
        return chargeDue(chargeId, "19.90");
    }

    /** A charge of that amount in EUR, each time under a new event id. */
    public static String chargeDue(String chargeId, String amount) {
        return """
                {"schemaVersion":1,"eventId":"%s","chargeId":"%s","accountId":"ACC-42","chargeType":"SMS_ALERT_FEE",\
                "amount":"%s","currency":"EUR","dueAt":"2026-03-01T00:00:00Z","occurredAt":"2026-03-01T10:00:00Z"}""".formatted(UUID.randomUUID(), chargeId, amount);
    }
}
