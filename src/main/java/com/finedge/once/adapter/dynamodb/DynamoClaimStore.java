package com.finedge.once.adapter.dynamodb;

import static com.finedge.once.adapter.dynamodb.ClaimItem.number;
import static com.finedge.once.adapter.dynamodb.ClaimItem.text;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.ClaimWrite;
import com.finedge.once.claim.Refusal;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Claims as items of a DynamoDB table: one conditional {@code UpdateItem} per operation.
 *
 * <p>A refused condition brings the item that refused it, so that a duplicate costs one round trip. A server that
 * returns no item is asked with one consistent read.
 */
public final class DynamoClaimStore implements ClaimStore {

    private static final String CLAIMABLE =
            "attribute_not_exists(pk) OR (#state = :inProgress AND leaseUntil < :now AND fingerprint = :fingerprint)";
    private static final String GRANT = "SET #state = :inProgress, #owner = :owner, leaseUntil = :leaseUntil, "
            + "fence = if_not_exists(fence, :zero) + :one, fingerprint = :fingerprint, "
            + "detail = if_not_exists(detail, :nothing), createdAt = if_not_exists(createdAt, :now), updatedAt = :now "
            + "REMOVE releasedBy";

    /** Every write of an owner hangs on this. */
    private static final String HELD = "#state = :inProgress AND #owner = :owner";

    private static final Map<String, String> NAMES = Map.of("#state", "state", "#owner", "owner");

    /** How often a claim is asked anew because the record changed between the refusal and the look at it. */
    private static final int TRIES = 5;

    private final DynamoDbClient dynamoDb;
    private final String table;

    /**
     * @param dynamoDb its call time-out must be well below the lease
     * @param table an existing table with the partition key {@code pk} (S) and no sort key
     */
    public DynamoClaimStore(DynamoDbClient dynamoDb, String table) {
        this.dynamoDb = dynamoDb;
        this.table = table;
    }

    @Override
    public ClaimResult claim(ClaimRequest request) {
        UpdateItemRequest update = update(request.key())
                .conditionExpression(CLAIMABLE)
                .updateExpression(GRANT)
                .expressionAttributeValues(Map.of(
                        ":inProgress", text(ClaimState.IN_PROGRESS.name()),
                        ":owner", text(request.owner()),
                        ":leaseUntil", number(request.leaseUntil().toEpochMilli()),
                        ":now", number(request.now().toEpochMilli()),
                        ":fingerprint", text(request.fingerprint().value()),
                        ":nothing", AttributeValue.fromM(Map.of()),
                        ":zero", number(0),
                        ":one", number(1)))
                .returnValues(ReturnValue.ALL_OLD)
                .build();
        for (int i = 0; i < TRIES; i++) {
            Written written = write(request.key(), update);
            Optional<ClaimRecord> before = written.before().map(ClaimItem::record);
            if (written.accepted()) {
                return granted(request, before.orElse(null));
            }
            // An absent record can't have refused: it vanished meanwhile, so the claim is asked again.
            Optional<ClaimResult> refusal = before.flatMap(existing -> Refusal.of(existing, request));
            if (refusal.isPresent()) {
                return refusal.get();
            }
        }
        throw new ClaimStoreException(request.key() + ": refused " + TRIES + " times by a record that kept changing");
    }

    private static ClaimResult granted(ClaimRequest request, @Nullable ClaimRecord before) {
        long fence = before == null ? 1 : before.fence() + 1;
        long attempt = before == null ? 1 : before.attempts() + 1;
        Claim claim =
                new Claim(request.key(), request.fingerprint(), request.owner(), fence, attempt, request.leaseUntil());
        return new ClaimResult.Acquired(claim, before == null ? null : before.owner());
    }

    @Override
    public ClaimWrite finish(Claim claim, ClaimEnd end) {
        Map<String, AttributeValue> values = held(claim, end.at());
        values.put(":end", text(end.state().name()));
        values.put(":outcome", text(end.outcome()));
        values.put(":expiresAt", number(end.expiresAt().getEpochSecond()));
        Map<String, String> names = new HashMap<>(NAMES);
        String update = "SET #state = :end, outcome = :outcome, expiresAt = :expiresAt, updatedAt = :now"
                + detail(end.detail(), names, values);
        return owned(
                claim,
                update,
                names,
                values,
                item -> ClaimItem.has(item, "state", end.state().name())
                        && ClaimItem.has(item, "owner", claim.owner()));
    }

    @Override
    public ClaimWrite renew(Claim claim, Instant now, Instant leaseUntil) {
        Map<String, AttributeValue> values = held(claim, now);
        values.put(":leaseUntil", number(leaseUntil.toEpochMilli()));
        return owned(claim, "SET leaseUntil = :leaseUntil, updatedAt = :now", NAMES, values, item -> false);
    }

    @Override
    public ClaimWrite release(Claim claim, Instant now) {
        Map<String, AttributeValue> values = held(claim, now);
        values.put(":past", number(0));
        return owned(
                claim,
                "SET leaseUntil = :past, releasedBy = :owner, updatedAt = :now REMOVE #owner",
                NAMES,
                values,
                item -> ClaimItem.has(item, "releasedBy", claim.owner()));
    }

    @Override
    public boolean reopen(ClaimKey key, Map<String, String> detail, Instant now) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":failed", text(ClaimState.FAILED.name()));
        values.put(":inProgress", text(ClaimState.IN_PROGRESS.name()));
        values.put(":past", number(0));
        values.put(":now", number(now.toEpochMilli()));
        Map<String, String> names = new HashMap<>(NAMES);
        UpdateItemRequest update = update(key)
                .conditionExpression("#state = :failed")
                .updateExpression(
                        "SET #state = :inProgress, leaseUntil = :past, reopenedAtFence = fence, updatedAt = :now"
                                + detail(detail, names, values) + " REMOVE #owner, outcome, expiresAt")
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
        return write(key, update).accepted();
    }

    @Override
    public boolean settle(ClaimRecord seen, ClaimEnd end) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":failed", text(ClaimState.FAILED.name()));
        values.put(":end", text(end.state().name()));
        values.put(":fence", number(seen.fence()));
        values.put(":outcome", text(end.outcome()));
        values.put(":expiresAt", number(end.expiresAt().getEpochSecond()));
        values.put(":now", number(end.at().toEpochMilli()));
        Map<String, String> names = new HashMap<>();
        names.put("#state", "state");
        UpdateItemRequest update = update(seen.key())
                .conditionExpression("#state = :failed AND fence = :fence")
                .updateExpression("SET #state = :end, outcome = :outcome, expiresAt = :expiresAt, updatedAt = :now"
                        + detail(end.detail(), names, values))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
        Written written = write(seen.key(), update);
        return written.accepted()
                || written.before()
                        .map(ClaimItem::record)
                        .filter(now -> now.state() == ClaimState.DONE && now.fence() == seen.fence())
                        .isPresent();
    }

    @Override
    public Optional<ClaimRecord> find(ClaimKey key) {
        try {
            return read(key).map(ClaimItem::record);
        } catch (SdkException e) {
            throw unavailable(key, e);
        }
    }

    /** Adds each fact under its own name, so that those of earlier attempts stay. */
    private static String detail(
            Map<String, String> detail, Map<String, String> names, Map<String, AttributeValue> values) {
        StringBuilder update = new StringBuilder();
        int i = 0;
        for (Map.Entry<String, String> fact : detail.entrySet()) {
            names.put("#detail" + i, fact.getKey());
            values.put(":detail" + i, text(fact.getValue()));
            update.append(", detail.#detail").append(i).append(" = :detail").append(i);
            i++;
        }
        return update.toString();
    }

    private static Map<String, AttributeValue> held(Claim claim, Instant now) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":inProgress", text(ClaimState.IN_PROGRESS.name()));
        values.put(":owner", text(claim.owner()));
        values.put(":now", number(now.toEpochMilli()));
        return values;
    }

    private ClaimWrite owned(
            Claim claim,
            String updateExpression,
            Map<String, String> names,
            Map<String, AttributeValue> values,
            Predicate<Map<String, AttributeValue>> oursAlready) {
        UpdateItemRequest update = update(claim.key())
                .conditionExpression(HELD)
                .updateExpression(updateExpression)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
        Written written = write(claim.key(), update);
        return written.accepted() || written.before().filter(oursAlready).isPresent()
                ? ClaimWrite.WRITTEN
                : ClaimWrite.LEASE_LOST;
    }

    private UpdateItemRequest.Builder update(ClaimKey key) {
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(ClaimItem.key(key))
                .expressionAttributeNames(NAMES)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }

    private Written write(ClaimKey key, UpdateItemRequest update) {
        try {
            UpdateItemResponse response = dynamoDb.updateItem(update);
            return new Written(true, existing(response.attributes()));
        } catch (ConditionalCheckFailedException e) {
            return new Written(false, refusing(key, e));
        } catch (SdkException e) {
            throw unavailable(key, e);
        }
    }

    private Optional<Map<String, AttributeValue>> refusing(ClaimKey key, ConditionalCheckFailedException refused) {
        if (refused.hasItem()) {
            return existing(refused.item());
        }
        try {
            return read(key);
        } catch (SdkException e) {
            throw unavailable(key, e);
        }
    }

    private Optional<Map<String, AttributeValue>> read(ClaimKey key) {
        return existing(dynamoDb.getItem(request ->
                        request.tableName(table).key(ClaimItem.key(key)).consistentRead(true))
                .item());
    }

    private static Optional<Map<String, AttributeValue>> existing(Map<String, AttributeValue> item) {
        return item.isEmpty() ? Optional.empty() : Optional.of(item);
    }

    private static ClaimStoreException unavailable(ClaimKey key, SdkException e) {
        return new ClaimStoreException(key + ": DynamoDB gave no answer", e);
    }

    /** Whether the condition held, and the item as it was before, where the server gave it. */
    private record Written(boolean accepted, Optional<Map<String, AttributeValue>> before) {}
}
