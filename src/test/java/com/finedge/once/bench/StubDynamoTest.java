package com.finedge.once.bench;

import com.finedge.once.adapter.dynamodb.DynamoClaimStore;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.ClaimStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The store that is measured keeps its whole contract on the stub, and says so when its writes change. */
class StubDynamoTest extends ClaimStoreContract {

    private static StubServer stub;
    private static DynamoDbClient dynamo;

    @BeforeAll
    static void start() {
        stub = StubServer.start(Latencies.none());
        dynamo = DynamoDbClient.builder()
                .endpointOverride(stub.uri())
                .region(Region.EU_WEST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .build();
    }

    @AfterAll
    static void stop() {
        dynamo.close();
        stub.close();
    }

    @Override
    protected ClaimStore store() {
        return new DynamoClaimStore(dynamo, "once-claims");
    }
}
