package com.finedge.once.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Core banking, and the notification service beside it.
 *
 * <p>One idempotency key is debited once, as at a real bank. So that a consumer can't hide behind that, the requests
 * that the key saved it from are counted too.
 */
final class StubBank {

    private final Map<String, String> references = new HashMap<>();
    private final Map<String, Integer> debitsByCharge = new HashMap<>();
    private final Set<String> notifications = new HashSet<>();
    private final Map<Integer, CompletableFuture<Void>> milestones = new HashMap<>();
    private int repeatedDebits;
    private int repeatedNotifications;

    void debit(@Nullable String idempotencyKey, JsonNode request, StubServer.Reply reply) {
        String charge = request.path("chargeId").asText();
        if (idempotencyKey == null || charge.isEmpty()) {
            throw Refusal.unknown("a debit without Idempotency-Key or chargeId");
        }
        String reference = "DBT-" + (references.size() + 1);
        String earlier = references.putIfAbsent(idempotencyKey, reference);
        if (earlier == null) {
            debitsByCharge.merge(charge, 1, Integer::sum);
            CompletableFuture<Void> milestone = milestones.remove(debitsByCharge.size());
            if (milestone != null) {
                milestone.complete(null);
            }
        } else {
            repeatedDebits++;
        }
        reply.send(
                earlier == null ? 201 : 200,
                JsonNodeFactory.instance.objectNode().put("reference", earlier == null ? reference : earlier));
    }

    void accept(@Nullable String idempotencyKey, StubServer.Reply reply) {
        if (idempotencyKey == null) {
            throw Refusal.unknown("a notification without Idempotency-Key");
        }
        boolean first = notifications.add(idempotencyKey);
        if (!first) {
            repeatedNotifications++;
        }
        reply.send(first ? 202 : 200, JsonNodeFactory.instance.objectNode());
    }

    /** Done when so many charges have been debited. */
    CompletableFuture<Void> atDebit(int n) {
        return milestones.computeIfAbsent(n, ignored -> new CompletableFuture<>());
    }

    int debitedCharges() {
        return debitsByCharge.size();
    }

    Totals totals() {
        int doubles = (int)
                debitsByCharge.values().stream().filter(debits -> debits > 1).count();
        return new Totals(debitsByCharge.size(), doubles, repeatedDebits, notifications.size(), repeatedNotifications);
    }

    /**
     * What the ledger holds.
     *
     * @param debitedCharges charges with at least one debit
     * @param doubleDebits charges with more than one debit
     * @param repeatedDebits requests that the idempotency key kept from being a second debit
     * @param notifications notifications accepted
     * @param repeatedNotifications notifications that came again under the same key
     */
    record Totals(
            int debitedCharges, int doubleDebits, int repeatedDebits, int notifications, int repeatedNotifications) {}
}
