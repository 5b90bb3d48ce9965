package com.finedge.once.stress;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.support.FaultProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Compares deletes with claims, from between the application and SQS: when a delete goes by, the claim of that message's
 * charge must have ended.
 */
final class WatchedDeletes implements FaultProxy.Watcher {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final TestBed bed;
    private final ConcurrentMap<String, String> chargesByReceipt = new ConcurrentHashMap<>();
    private final List<String> deleted = new CopyOnWriteArrayList<>();
    private final List<String> tooEarly = new CopyOnWriteArrayList<>();

    WatchedDeletes(TestBed bed) {
        this.bed = bed;
    }

    @Override
    public void answered(String operation, String body) {
        if (operation.equals("ReceiveMessage")) {
            for (JsonNode message : json(body).path("Messages")) {
                String charge =
                        json(message.path("Body").asText()).path("chargeId").asText();
                chargesByReceipt.put(message.path("ReceiptHandle").asText(), charge);
            }
        }
    }

    @Override
    public void called(String operation, String body) {
        if (operation.equals("DeleteMessage")) {
            deletes(json(body));
        } else if (operation.equals("DeleteMessageBatch")) {
            json(body).path("Entries").forEach(this::deletes);
        }
    }

    private void deletes(JsonNode entry) {
        String charge =
                chargesByReceipt.getOrDefault(entry.path("ReceiptHandle").asText(), "a message never received");
        deleted.add(charge);
        if (!bed.isClaimed(charge) || bed.claim(charge).state() == ClaimState.IN_PROGRESS) {
            tooEarly.add(charge);
        }
    }

    /** The charges of the messages that were deleted before their claim had ended. */
    List<String> tooEarly() {
        return tooEarly;
    }

    /** These charges' messages were deleted, no other, and each after its claim had ended. */
    void wereOf(List<String> charges) {
        assertThat(tooEarly).as("deleted before the end of their claim").isEmpty();
        assertThat(new ArrayList<>(deleted)).as("deleted").containsExactlyInAnyOrderElementsOf(charges);
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON: " + text, e);
        }
    }
}
