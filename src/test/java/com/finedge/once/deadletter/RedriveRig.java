package com.finedge.once.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.adapter.corebanking.HttpAccountDebits;
import com.finedge.once.adapter.dynamodb.DynamoClaimStore;
import com.finedge.once.adapter.json.ChargeDueEventJson;
import com.finedge.once.adapter.notification.HttpNotifications;
import com.finedge.once.adapter.postgres.PostgresAuditLog;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.adapter.sqs.SqsRedrives;
import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.Operator;
import com.finedge.once.charge.AccountDebitPort;
import com.finedge.once.charge.ChargeEffects;
import com.finedge.once.charge.ChargeRecoveryService;
import com.finedge.once.charge.OutcomePort;
import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.Claims;
import com.finedge.once.retry.BackOff;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.client.RestClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Redrives of real parts, put together by hand, so that a test can come between any two of them.
 *
 * @param redrives what is tested
 * @param letters the same for one letter at a time
 */
record RedriveRig(Redrives redrives, DeadLetters letters, RedrivableQueue queue, Claims claims, AuditLog audit) {

    static final Operator KIM = new Operator("kim", "the bank is back");

    /** Where everything is. */
    record Places(
            SqsClient sqs, DynamoDbClient dynamoDb, URI bank, String queue, String deadLetterQueue, String table) {}

    /** What a test puts around the parts; each leaves its part as it is where nothing else is said. */
    record Wraps(
            UnaryOperator<RedrivableQueue> queue,
            UnaryOperator<ClaimStore> claims,
            UnaryOperator<AuditLog> audit,
            UnaryOperator<AccountDebitPort> bank) {

        static final Wraps NONE = new Wraps(
                UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity());
    }

    /**
     * Waits until the dead-letter queue tells this depth: what was handed back may count as hidden for the rest of its
     * millisecond. The wait is far below the time that a letter which wasn't handed back stays hidden.
     */
    void restsAt(Depth depth) {
        restsAt(queue, depth);
    }

    static void restsAt(DeadLetterQueue queue, Depth depth) {
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(queue.depth()).isEqualTo(depth));
    }

    static RedriveRig of(
            Places places, @Nullable HikariDataSource database, AuditLog audit, Duration hold, Wraps wraps) {
        AuditLog log =
                wraps.audit().apply(database == null ? audit : new PostgresAuditLog(JdbcClient.create(database)));
        InstantSource clock = InstantSource.system();
        Claims claims = new Claims(
                wraps.claims().apply(new DynamoClaimStore(places.dynamoDb(), places.table())),
                Duration.ofSeconds(30),
                Duration.ofDays(60),
                clock,
                UUID::randomUUID,
                ClaimListener.NONE);
        RestClient http = RestClient.builder().baseUrl(places.bank().toString()).build();
        AccountDebitPort bank = wraps.bank().apply(new HttpAccountDebits(http, new ObjectMapper()));
        ChargeRecoveryService service = new ChargeRecoveryService(
                claims,
                bank,
                new HttpNotifications(http),
                OutcomePort.NONE,
                clock,
                3,
                new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(2)),
                () -> 1);
        ChargeDueEventJson json = new ChargeDueEventJson();
        Effects effects = new ChargeEffects(service, bank, json::read, json::write, Set.of("SMS_ALERT_FEE"));
        RedrivableQueue queue = wraps.queue()
                .apply(new SqsRedrives(
                        places.sqs(), new SqsQueues(places.sqs()), places.deadLetterQueue(), places.queue()));
        return new RedriveRig(
                new Redrives(queue, effects, claims, log, hold, clock, UUID::randomUUID, DeadLetterListener.NONE),
                new DeadLetters(queue, effects, claims, log, clock),
                queue,
                claims,
                log);
    }
}
