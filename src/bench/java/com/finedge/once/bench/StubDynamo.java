package com.finedge.once.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of claims in DynamoDB's JSON protocol.
 *
 * <p>It evaluates no expressions: it knows the writes of the claim protocol by their text and refuses every other one,
 * so that a change of the protocol shows here and isn't measured wrongly.
 */
final class StubDynamo {

    private static final String CLAIMABLE =
            "attribute_not_exists(pk) OR (#state = :inProgress AND leaseUntil < :now AND fingerprint = :fingerprint)";
    private static final String GRANT = "SET #state = :inProgress, #owner = :owner, leaseUntil = :leaseUntil, "
            + "fence = if_not_exists(fence, :zero) + :one, fingerprint = :fingerprint, "
            + "detail = if_not_exists(detail, :nothing), createdAt = if_not_exists(createdAt, :now), updatedAt = :now "
            + "REMOVE releasedBy";
    private static final String HELD = "#state = :inProgress AND #owner = :owner";
    private static final String RENEW = "SET leaseUntil = :leaseUntil, updatedAt = :now";
    private static final String RELEASE = "SET leaseUntil = :past, releasedBy = :owner, updatedAt = :now REMOVE #owner";
    private static final String FINISH =
            "SET #state = :end, outcome = :outcome, expiresAt = :expiresAt, updatedAt = :now";
    private static final String FAILED = "#state = :failed";
    private static final String FAILED_AS_SEEN = "#state = :failed AND fence = :fence";
    private static final String REOPEN =
            "SET #state = :inProgress, leaseUntil = :past, reopenedAtFence = fence, updatedAt = :now";
    private static final String REOPEN_END = " REMOVE #owner, outcome, expiresAt";
    private static final String ALL_OLD = "ALL_OLD";

    private final Map<String, ObjectNode> items = new HashMap<>();

    JsonNode handle(String operation, JsonNode request) {
        return switch (operation) {
            case "DescribeTable" -> table(request.path("TableName").asText());
            case "DescribeTimeToLive" -> timeToLive();
            case "GetItem" -> get(request);
            case "UpdateItem" -> update(request);
            default -> throw Refusal.unknown("DynamoDB " + operation);
        };
    }

    private ObjectNode table(String name) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ObjectNode table = answer.putObject("Table");
        table.put("TableName", name)
                .put("TableArn", "arn:aws:dynamodb:eu-west-1:000000000000:table/" + name)
                .put("TableStatus", "ACTIVE")
                .put("ItemCount", items.size());
        table.putArray("KeySchema").addObject().put("AttributeName", "pk").put("KeyType", "HASH");
        table.putArray("AttributeDefinitions")
                .addObject()
                .put("AttributeName", "pk")
                .put("AttributeType", "S");
        return answer;
    }

    private static ObjectNode timeToLive() {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.putObject("TimeToLiveDescription")
                .put("TimeToLiveStatus", "ENABLED")
                .put("AttributeName", "expiresAt");
        return answer;
    }

    private ObjectNode get(JsonNode request) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ObjectNode item = items.get(key(request));
        if (item != null) {
            answer.set("Item", item);
        }
        return answer;
    }

    private ObjectNode update(JsonNode request) {
        Write write = write(request);
        JsonNode values = request.path("ExpressionAttributeValues");
        String key = key(request);
        ObjectNode old = items.get(key);
        boolean holds = switch (write) {
            case CLAIM -> claimable(old, values);
            case RENEW, RELEASE, FINISH ->
                old != null
                        && inState(old, ":inProgress", values)
                        && old.path("owner").equals(values.path(":owner"));
            case REOPEN -> old != null && inState(old, ":failed", values);
            case SETTLE ->
                old != null
                        && inState(old, ":failed", values)
                        && old.path("fence").equals(values.path(":fence"));
        };
        if (!holds) {
            throw refused(old, request);
        }
        ObjectNode item = old == null ? request.path("Key").deepCopy() : old.deepCopy();
        item.set("updatedAt", values.path(":now"));
        switch (write) {
            case CLAIM -> grant(item, values);
            case RENEW -> item.set("leaseUntil", values.path(":leaseUntil"));
            case RELEASE -> {
                item.set("leaseUntil", values.path(":past"));
                item.set("releasedBy", values.path(":owner"));
                item.remove("owner");
            }
            case FINISH, SETTLE -> finish(item, request);
            case REOPEN -> reopen(item, request);
        }
        items.put(key, item);
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        if (old != null && request.path("ReturnValues").asText().equals(ALL_OLD)) {
            answer.set("Attributes", old);
        }
        return answer;
    }

    private static Write write(JsonNode request) {
        String condition = request.path("ConditionExpression").asText();
        String update = request.path("UpdateExpression").asText();
        if (condition.equals(CLAIMABLE) && update.equals(GRANT)) {
            return Write.CLAIM;
        }
        if (condition.equals(HELD)) {
            if (update.equals(RENEW)) {
                return Write.RENEW;
            } else if (update.equals(RELEASE)) {
                return Write.RELEASE;
            } else if (update.equals(FINISH + details(request))) {
                return Write.FINISH;
            }
        }
        if (condition.equals(FAILED) && update.equals(REOPEN + details(request) + REOPEN_END)) {
            return Write.REOPEN;
        }
        if (condition.equals(FAILED_AS_SEEN) && update.equals(FINISH + details(request))) {
            return Write.SETTLE;
        }
        throw Refusal.unknown("the update " + update + " on the condition " + condition);
    }

    /** The text that adds as many facts as the request has names for. */
    private static String details(JsonNode request) {
        StringBuilder update = new StringBuilder();
        for (int i = 0; request.path("ExpressionAttributeNames").has("#detail" + i); i++) {
            update.append(", detail.#detail").append(i).append(" = :detail").append(i);
        }
        return update.toString();
    }

    private static boolean claimable(@Nullable ObjectNode item, JsonNode values) {
        return item == null
                || (inState(item, ":inProgress", values)
                        && item.path("leaseUntil").path("N").asLong()
                                < values.path(":now").path("N").asLong()
                        && item.path("fingerprint").equals(values.path(":fingerprint")));
    }

    private static boolean inState(ObjectNode item, String state, JsonNode values) {
        return item.path("state").equals(values.path(state));
    }

    private static void grant(ObjectNode item, JsonNode values) {
        item.set("state", values.path(":inProgress"));
        item.set("owner", values.path(":owner"));
        item.set("leaseUntil", values.path(":leaseUntil"));
        item.set("fingerprint", values.path(":fingerprint"));
        long fence = item.path("fence").path("N").asLong() + 1;
        item.putObject("fence").put("N", String.valueOf(fence));
        item.putIfAbsent("detail", values.path(":nothing"));
        item.putIfAbsent("createdAt", values.path(":now"));
        item.remove("releasedBy");
    }

    private static void finish(ObjectNode item, JsonNode request) {
        JsonNode values = request.path("ExpressionAttributeValues");
        item.set("state", values.path(":end"));
        item.set("outcome", values.path(":outcome"));
        item.set("expiresAt", values.path(":expiresAt"));
        addDetails(item, request);
    }

    private static void reopen(ObjectNode item, JsonNode request) {
        JsonNode values = request.path("ExpressionAttributeValues");
        item.set("state", values.path(":inProgress"));
        item.set("leaseUntil", values.path(":past"));
        item.set("reopenedAtFence", item.path("fence"));
        addDetails(item, request);
        item.remove(List.of("owner", "outcome", "expiresAt"));
    }

    private static void addDetails(ObjectNode item, JsonNode request) {
        ObjectNode detail = (ObjectNode) item.path("detail").path("M");
        JsonNode names = request.path("ExpressionAttributeNames");
        JsonNode values = request.path("ExpressionAttributeValues");
        for (int i = 0; names.has("#detail" + i); i++) {
            detail.set(names.path("#detail" + i).asText(), values.path(":detail" + i));
        }
    }

    private static Refusal refused(@Nullable ObjectNode item, JsonNode request) {
        Refusal refusal = Refusal.of(
                "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException", "The conditional request failed");
        if (item != null
                && request.path("ReturnValuesOnConditionCheckFailure").asText().equals(ALL_OLD)) {
            refusal.body().set("Item", item);
        }
        return refusal;
    }

    private static String key(JsonNode request) {
        return request.path("Key").path("pk").path("S").asText();
    }

    private enum Write {
        CLAIM,
        RENEW,
        RELEASE,
        FINISH,
        REOPEN,
        SETTLE
    }
}
