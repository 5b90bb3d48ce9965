package com.finedge.once;

import com.finedge.once.dev.CoreBankingSimulator;
import com.finedge.once.dev.LocalServices;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** On ElasticMQ and dynalite. */
class EndToEndIT extends EndToEndContract {

    private static final LocalServices SERVICES = LocalServices.shared();

    private final Map<String, String> settings = SERVICES.properties(SERVICES.fresh());

    @Override
    protected Map<String, String> settings() {
        return settings;
    }

    @Override
    protected SqsClient sqs() {
        return SERVICES.sqs();
    }

    @Override
    protected DynamoDbClient dynamoDb() {
        return SERVICES.dynamoDb();
    }

    @Override
    protected CoreBankingSimulator bank() {
        return SERVICES.bank();
    }
}
