package com.finedge.once.adapter.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.ClaimStoreContract;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.Fingerprint;
import com.finedge.once.dev.LocalServices;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class DynamoClaimStoreIT extends ClaimStoreContract {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final String TABLE = SERVICES.fresh().table();

    private final DynamoDbClient dynamoDb = SERVICES.dynamoDb();

    @Override
    protected ClaimStore store() {
        return new DynamoClaimStore(dynamoDb, TABLE);
    }

    private Map<String, AttributeValue> item(ClaimKey key) {
        return dynamoDb.getItem(
                        request -> request.tableName(TABLE).key(Map.of("pk", AttributeValue.fromS(key.toString()))))
                .item();
    }

    @Test
    void anItemHasTheAttributesOfTheDesign() {
        ClaimKey key = new ClaimKey("charge-recovery", "CHG-" + UUID.randomUUID());
        store().claim(new ClaimRequest(key, Fingerprint.of("x"), "me", NOON, NOON.plusSeconds(30)));

        assertThat(item(key))
                .containsOnlyKeys(
                        "pk",
                        "state",
                        "owner",
                        "fence",
                        "leaseUntil",
                        "fingerprint",
                        "detail",
                        "createdAt",
                        "updatedAt")
                .containsEntry("state", AttributeValue.fromS("IN_PROGRESS"))
                .containsEntry("owner", AttributeValue.fromS("me"))
                .containsEntry("fence", AttributeValue.fromN("1"))
                .containsEntry(
                        "leaseUntil",
                        AttributeValue.fromN(Long.toString(NOON.plusSeconds(30).toEpochMilli())));
    }

    @Test
    void anItemThatIsNoClaimIsAFaultAndNotAnAnswer() {
        ClaimKey key = new ClaimKey("charge-recovery", "CHG-" + UUID.randomUUID());
        dynamoDb.putItem(request -> request.tableName(TABLE)
                .item(Map.of("pk", AttributeValue.fromS(key.toString()), "state", AttributeValue.fromS("PROCESSED"))));

        assertThatThrownBy(() ->
                        store().claim(new ClaimRequest(key, Fingerprint.of("x"), "me", NOON, NOON.plusSeconds(30))))
                .isInstanceOf(ClaimStoreException.class)
                .hasMessageContaining(key.toString());
    }

    @Test
    void aMissingTableIsAFaultAndNotAnAnswer() {
        ClaimStore lost = new DynamoClaimStore(dynamoDb, "no-such-table");
        ClaimKey key = new ClaimKey("charge-recovery", "CHG-1");

        assertThatThrownBy(
                        () -> lost.claim(new ClaimRequest(key, Fingerprint.of("x"), "me", NOON, NOON.plusSeconds(30))))
                .isInstanceOf(ClaimStoreException.class);
        assertThatThrownBy(() -> lost.find(key)).isInstanceOf(ClaimStoreException.class);
    }
}
