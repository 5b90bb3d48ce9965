package com.finedge.once;

import com.finedge.once.dev.CoreBankingSimulator;
import com.finedge.once.dev.LocalResources;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.containers.localstack.LocalStackContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** On LocalStack; skipped where there is no Docker. */
@Testcontainers(disabledWithoutDocker = true)
class EndToEndLocalStackIT extends EndToEndContract {

    // 4.14.0 is the last image that starts without an account.
    @Container
    private static final LocalStackContainer AWS = new LocalStackContainer(
                    DockerImageName.parse("localstack/localstack:4.14.0"))
            .withServices(LocalStackContainer.Service.SQS, LocalStackContainer.Service.DYNAMODB);

    private static CoreBankingSimulator bank;
    private static SqsClient sqs;
    private static DynamoDbClient dynamoDb;

    @BeforeAll
    static void makeQueuesAndTable() {
        System.setProperty("aws.accessKeyId", AWS.getAccessKey());
        System.setProperty("aws.secretAccessKey", AWS.getSecretKey());
        bank = CoreBankingSimulator.start(0);
        StaticCredentialsProvider credentials =
                StaticCredentialsProvider.create(AwsBasicCredentials.create(AWS.getAccessKey(), AWS.getSecretKey()));
        Region region = Region.of(AWS.getRegion());
        URI endpoint = AWS.getEndpoint();
        sqs = SqsClient.builder()
                .region(region)
                .endpointOverride(endpoint)
                .credentialsProvider(credentials)
                .build();
        dynamoDb = DynamoDbClient.builder()
                .region(region)
                .endpointOverride(endpoint)
                .credentialsProvider(credentials)
                .build();
        LocalResources.STANDARD.createIn(sqs, dynamoDb);
    }

    @AfterAll
    static void stopBank() {
        bank.close();
    }

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(LocalResources.STANDARD.properties());
        settings.put("once.aws.region", AWS.getRegion());
        settings.put("once.aws.sqs-endpoint", AWS.getEndpoint().toString());
        settings.put("once.aws.dynamodb-endpoint", AWS.getEndpoint().toString());
        settings.put("once.core-banking.url", bank.endpoint().toString());
        settings.put("once.notifications.url", bank.endpoint().toString());
        return settings;
    }

    @Override
    protected SqsClient sqs() {
        return sqs;
    }

    @Override
    protected List<String> claimKeys() {
        return EndToEndIT.keysIn(dynamoDb, LocalResources.STANDARD.table());
    }

    @Override
    protected CoreBankingSimulator bank() {
        return bank;
    }
}
