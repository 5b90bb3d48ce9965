package com.finedge.once.adapter.dynamodb;

import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.Fingerprint;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The item form of a claim. */
final class ClaimItem {

    private ClaimItem() {}

    static Map<String, AttributeValue> key(ClaimKey key) {
        return Map.of("pk", text(key.toString()));
    }

    static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    static boolean has(Map<String, AttributeValue> item, String name, String value) {
        return value.equals(string(item, name));
    }

    static ClaimRecord record(Map<String, AttributeValue> item) {
        String pk = string(item, "pk");
        try {
            return new ClaimRecord(
                    keyOf(required(pk, "pk")),
                    ClaimState.valueOf(required(string(item, "state"), "state")),
                    string(item, "owner"),
                    required(longOf(item, "fence"), "fence"),
                    absentAs(0, longOf(item, "reopenedAtFence")),
                    Instant.ofEpochMilli(required(longOf(item, "leaseUntil"), "leaseUntil")),
                    new Fingerprint(required(string(item, "fingerprint"), "fingerprint")),
                    string(item, "outcome"),
                    detail(item),
                    Instant.ofEpochMilli(required(longOf(item, "createdAt"), "createdAt")),
                    Instant.ofEpochMilli(required(longOf(item, "updatedAt"), "updatedAt")),
                    expiresAt(item));
        } catch (IllegalArgumentException e) {
            throw new ClaimStoreException("the item " + pk + " is no claim: " + e.getMessage(), e);
        }
    }

    private static ClaimKey keyOf(String pk) {
        int separator = pk.indexOf('#');
        return new ClaimKey(pk.substring(0, Math.max(separator, 0)), pk.substring(separator + 1));
    }

    private static Map<String, String> detail(Map<String, AttributeValue> item) {
        AttributeValue detail = item.get("detail");
        if (detail == null || !detail.hasM()) {
            return Map.of();
        }
        return detail.m().entrySet().stream()
                .filter(fact -> fact.getValue().s() != null)
                .collect(Collectors.toMap(
                        Map.Entry::getKey, fact -> fact.getValue().s()));
    }

    private static @Nullable Instant expiresAt(Map<String, AttributeValue> item) {
        Long seconds = longOf(item, "expiresAt");
        return seconds == null ? null : Instant.ofEpochSecond(seconds);
    }

    private static @Nullable String string(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null ? null : value.s();
    }

    private static @Nullable Long longOf(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null || value.n() == null ? null : Long.valueOf(value.n());
    }

    private static long absentAs(long otherwise, @Nullable Long value) {
        return value == null ? otherwise : value;
    }

    private static <T> T required(@Nullable T value, String name) {
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing or of the wrong type");
        }
        return value;
    }
}
