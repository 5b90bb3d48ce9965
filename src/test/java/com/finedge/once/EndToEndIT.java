package com.finedge.once;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.dev.CoreBankingSimulator;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.support.Events;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
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

    /** More would make each write of a claim cost twice as much. */
    @Test
    void theClaimOfADebitedChargeIsOneWriteUnit() {
        String chargeId = Events.newChargeId();
        charges.send(Events.chargeDue(chargeId));
        untilDrained();

        Map<String, AttributeValue> item = SERVICES.dynamoDb()
                .getItem(request -> request.tableName(settings.getOrDefault("once.claims.table", ""))
                        .key(Map.of("pk", AttributeValue.fromS("charge-recovery#" + chargeId))))
                .item();

        assertThat(item).containsEntry("state", AttributeValue.fromS("DONE"));
        // As DynamoDB counts it, or a little more: the bytes of names and values.
        assertThat(size(AttributeValue.fromM(item))).isBetween(200, 1024);
    }

    private static int size(AttributeValue value) {
        if (value.hasM()) {
            return value.m().entrySet().stream()
                    .mapToInt(entry -> bytes(entry.getKey()) + size(entry.getValue()) + 1)
                    .sum();
        }
        return value.s() != null ? bytes(value.s()) : bytes(value.n());
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
