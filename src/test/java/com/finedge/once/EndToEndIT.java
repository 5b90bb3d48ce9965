package com.finedge.once;

import com.finedge.once.dev.CoreBankingSimulator;
import com.finedge.once.dev.LocalServices;
import java.util.List;
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
    protected List<String> claimKeys() {
        return keysIn(SERVICES.dynamoDb(), settings.getOrDefault("once.claims.table", ""));
    }

    static List<String> keysIn(DynamoDbClient dynamoDb, String table) {
        return dynamoDb.scanPaginator(request -> request.tableName(table)).items().stream()
                .map(item -> String.valueOf(item.get("pk")))
                .toList();
    }

    @Override
    protected CoreBankingSimulator bank() {
        return SERVICES.bank();
    }
}
