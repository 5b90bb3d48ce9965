package com.finedge.once.dev;

import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Clients of the local services, and the credentials that these accept. */
public final class LocalAws {

    static final Region REGION = Region.EU_WEST_1;

    static final String CREDENTIAL = "local";
    private static final AwsCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create(CREDENTIAL, CREDENTIAL));

    private LocalAws() {}

    /** The SDK's default chain finds these first, so a developer's real credentials are never sent anywhere. */
    public static void useLocalCredentials() {
        for (var setting :
                new SdkSystemSetting[] {SdkSystemSetting.AWS_ACCESS_KEY_ID, SdkSystemSetting.AWS_SECRET_ACCESS_KEY}) {
            if (System.getProperty(setting.property()) == null) {
                System.setProperty(setting.property(), CREDENTIAL);
            }
        }
    }

    /** The same credentials for a JVM of its own, as system properties. */
    static Map<String, String> credentials() {
        return Map.of(
                SdkSystemSetting.AWS_ACCESS_KEY_ID.property(),
                CREDENTIAL,
                SdkSystemSetting.AWS_SECRET_ACCESS_KEY.property(),
                CREDENTIAL);
    }

    /** A client of the queues of a local server. */
    public static SqsClient sqs(URI endpoint) {
        return SqsClient.builder()
                .endpointOverride(endpoint)
                .region(REGION)
                .credentialsProvider(CREDENTIALS)
                .build();
    }

    /** A client of the tables of a local server. */
    public static DynamoDbClient dynamoDb(URI endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(REGION)
                .credentialsProvider(CREDENTIALS)
                .build();
    }
}
