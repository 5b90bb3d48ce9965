package com.finedge.once.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** What is measured against the stub means something only if the AWS SDK can't tell it from the services. */
class StubServerTest {

    private static final String QUEUE = "charges";
    private static final String TABLE = "once-claims";
    private static final Map<String, AttributeValue> KEY = Map.of("pk", text("charge-recovery#CHG-1"));
    private static final StaticCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));
    private static final String HELD = "#state = :inProgress AND #owner = :owner";

    private final HttpClient http = HttpClient.newHttpClient();
    private StubServer stub;
    private SqsClient sqs;
    private DynamoDbClient dynamo;
    private String url;

    @BeforeEach
    void start() {
        stub = StubServer.start(Latencies.none());
        stub.createQueue(QUEUE);
        sqs = sqsClient(stub.uri());
        dynamo = DynamoDbClient.builder()
                .endpointOverride(stub.uri())
                .region(Region.EU_WEST_1)
                .credentialsProvider(CREDENTIALS)
                .build();
        url = sqs.getQueueUrl(request -> request.queueName(QUEUE)).queueUrl();
    }

    @AfterEach
    void stop() {
        http.close();
        dynamo.close();
        sqs.close();
        stub.close();
    }

    @Test
    void aFreeKeyIsClaimedOnceAndTheLoserSeesTheWinnersItem() {
        assertThat(claim("A", 1_000, 5_000, "f").attributes()).isEmpty();

        ConditionalCheckFailedException lost = refusedClaim("B", 4_999, 9_000, "f");

        assertThat(lost.item())
                .containsEntry("owner", text("A"))
                .containsEntry("state", text("IN_PROGRESS"))
                .containsEntry("fence", number(1))
                .containsEntry("leaseUntil", number(5_000))
                .containsEntry("createdAt", number(1_000));
        assertThat(item()).isEqualTo(lost.item());
    }

    @Test
    void aFailedConditionBringsNoItemUnlessAskedFor() {
        claim("A", 1_000, 5_000, "f");

        ConditionalCheckFailedException lost = catchThrowableOfType(
                ConditionalCheckFailedException.class,
                () -> dynamo.updateItem(claimRequest("B", 2_000, 9_000, "f").toBuilder()
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.NONE)
                        .build()));

        assertThat(lost.hasItem()).isFalse();
    }

    @Test
    void aLapsedLeaseIsTakenOverWithAHigherFence() {
        claim("A", 1_000, 5_000, "f");

        UpdateItemResponse taken = claim("B", 5_001, 9_000, "f");

        assertThat(taken.attributes()).containsEntry("owner", text("A")).containsEntry("fence", number(1));
        assertThat(item())
                .containsEntry("owner", text("B"))
                .containsEntry("fence", number(2))
                .containsEntry("createdAt", number(1_000))
                .containsEntry("updatedAt", number(5_001));
    }

    @Test
    void anotherContentTakesNoLapsedLease() {
        claim("A", 1_000, 5_000, "f");

        assertThat(refusedClaim("B", 5_001, 9_000, "g").item()).containsEntry("fingerprint", text("f"));
    }

    @Test
    void onlyTheOwnerFinishes() {
        claim("A", 1_000, 5_000, "f");

        assertThatExceptionOfType(ConditionalCheckFailedException.class)
                .isThrownBy(() -> finish("B"))
                .satisfies(refused -> assertThat(refused.item()).containsEntry("owner", text("A")));
        finish("A");

        assertThat(item())
                .containsEntry("state", text("DONE"))
                .containsEntry("outcome", text("DEBITED"))
                .containsEntry("expiresAt", number(99))
                .containsEntry("detail", AttributeValue.fromM(Map.of("reference", text("DBT-1"))));
        assertThatExceptionOfType(ConditionalCheckFailedException.class).isThrownBy(() -> finish("A"));
        refusedClaim("B", 99_999, 100_000, "f");
    }

    @Test
    void aLateOwnerNeitherFinishesNorRenewsNorReleases() {
        claim("A", 1_000, 5_000, "f");
        claim("B", 5_001, 9_000, "f");
        Map<String, AttributeValue> ofB = item();

        assertThatExceptionOfType(ConditionalCheckFailedException.class).isThrownBy(() -> finish("A"));
        assertThatExceptionOfType(ConditionalCheckFailedException.class).isThrownBy(() -> renew("A", 20_000));
        assertThatExceptionOfType(ConditionalCheckFailedException.class).isThrownBy(() -> release("A"));

        assertThat(item()).isEqualTo(ofB);
    }

    @Test
    void aRenewedLeaseHoldsAndAReleasedOneIsFree() {
        claim("A", 1_000, 5_000, "f");
        renew("A", 8_000);
        refusedClaim("B", 7_999, 9_000, "f");

        release("A");

        assertThat(item()).doesNotContainKey("owner").containsEntry("releasedBy", text("A"));
        claim("B", 7_999, 9_000, "f");
        assertThat(item()).doesNotContainKey("releasedBy").containsEntry("fence", number(2));
    }

    @Test
    void anUnknownWriteIsRefusedAndReported() {
        UpdateItemRequest unknown = claimRequest("A", 1_000, 5_000, "f").toBuilder()
                .conditionExpression("attribute_not_exists(pk)")
                .build();

        assertThatExceptionOfType(DynamoDbException.class)
                .isThrownBy(() -> dynamo.updateItem(unknown))
                .satisfies(refused -> assertThat(refused.statusCode()).isEqualTo(400))
                .withMessageContaining("attribute_not_exists(pk)");

        assertThat(stub.problems()).singleElement().asString().contains("attribute_not_exists(pk)");
    }

    @Test
    void theTableAndItsTimeToLiveAreDescribed() {
        assertThat(dynamo.describeTable(request -> request.tableName(TABLE))
                        .table()
                        .tableStatus())
                .isEqualTo(TableStatus.ACTIVE);
        assertThat(dynamo.describeTimeToLive(request -> request.tableName(TABLE))
                        .timeToLiveDescription()
                        .attributeName())
                .isEqualTo("expiresAt");
    }

    @Test
    void whatIsSentIsReceivedWithItsAttributesAndDigestsThatTheSdkAccepts() {
        sqs.sendMessage(request -> request.queueUrl(url)
                .messageBody("ä€ 1")
                .messageAttributes(Map.of("reason", string("résumé"), "code", string("E1"))));

        Message message = receive(request -> request.messageAttributeNames("All")
                        .messageSystemAttributeNames(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT))
                .getFirst();

        assertThat(message.body()).isEqualTo("ä€ 1");
        assertThat(message.messageAttributes())
                .containsEntry("reason", string("résumé"))
                .hasSize(2);
        assertThat(message.md5OfMessageAttributes()).isNotBlank();
        assertThat(message.attributes()).isEqualTo(Map.of(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1"));
    }

    @Test
    void aBatchIsSentAndReceivedTenAtATime() {
        sqs.sendMessageBatch(request -> request.queueUrl(url)
                .entries(IntStream.range(0, 10)
                        .mapToObj(i -> SendMessageBatchRequestEntry.builder()
                                .id("e" + i)
                                .messageBody("body " + i)
                                .build())
                        .toList()));
        stub.send(QUEUE, List.of("body 10"));

        assertThat(receive(request -> request.maxNumberOfMessages(10)))
                .extracting(Message::body)
                .containsExactlyElementsOf(
                        IntStream.range(0, 10).mapToObj(i -> "body " + i).toList());
        assertThat(receive(request -> {})).extracting(Message::body).containsExactly("body 10");
        assertThat(receive(request -> {})).isEmpty();
    }

    @Test
    void aLongPollAnswersWhenAMessageComes() {
        CompletableFuture<List<Message>> poll =
                CompletableFuture.supplyAsync(() -> receive(request -> request.waitTimeSeconds(20)));
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> stub.snapshot().count(new Call(Api.SQS, "ReceiveMessage")) == 1);
        assertThat(poll).isNotDone();

        stub.send(QUEUE, List.of("late"));

        assertThat(poll)
                .succeedsWithin(Duration.ofSeconds(10))
                .satisfies(messages ->
                        assertThat(messages).extracting(Message::body).containsExactly("late"));
    }

    @Test
    void anIdleLongPollEndsEmpty() {
        long start = System.nanoTime();

        assertThat(receive(request -> request.waitTimeSeconds(1))).isEmpty();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(990));
    }

    @Test
    void aMessageComesBackWhenItsVisibilityEndsAndTheOldReceiptIsWorthless() {
        stub.send(QUEUE, List.of("again"));
        Message first = receive(request -> request.visibilityTimeout(1)).getFirst();
        assertThat(receive(request -> {})).isEmpty();

        Message second = receive(request ->
                        request.waitTimeSeconds(10).messageSystemAttributeNames(MessageSystemAttributeName.ALL))
                .getFirst();

        assertThat(second.messageId()).isEqualTo(first.messageId());
        assertThat(second.attributes()).containsEntry(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "2");
        sqs.deleteMessage(request -> request.queueUrl(url).receiptHandle(first.receiptHandle()));
        assertThat(stub.depth(QUEUE)).isOne();
        sqs.deleteMessage(request -> request.queueUrl(url).receiptHandle(second.receiptHandle()));
        assertThat(stub.depth(QUEUE)).isZero();
    }

    @Test
    void visibilityIsChangedOneByOneAndInBatches() {
        stub.send(QUEUE, List.of("a", "b"));
        List<Message> messages = receive(request -> request.maxNumberOfMessages(10));

        sqs.changeMessageVisibility(request -> request.queueUrl(url)
                .receiptHandle(messages.get(0).receiptHandle())
                .visibilityTimeout(0));
        assertThat(receive(request -> {})).extracting(Message::body).containsExactly("a");

        assertThat(sqs.changeMessageVisibilityBatch(request -> request.queueUrl(url)
                                .entries(
                                        visible("known", messages.get(1).receiptHandle()),
                                        visible("stale", messages.get(0).receiptHandle())))
                        .failed())
                .extracting(BatchResultErrorEntry::id)
                .containsExactly("stale");
        assertThat(receive(request -> {})).extracting(Message::body).containsExactly("b");
    }

    @Test
    void aBatchOfDeletesIsCountedAndTimed() {
        stub.send(QUEUE, List.of("a", "b", "c"));
        CompletableFuture<StubServer.Snapshot> second = stub.atDelete(QUEUE, 2);
        List<Message> messages = receive(request -> request.maxNumberOfMessages(10));

        assertThat(sqs.deleteMessageBatch(request -> request.queueUrl(url)
                                .entries(messages.stream()
                                        .map(message -> DeleteMessageBatchRequestEntry.builder()
                                                .id(message.messageId())
                                                .receiptHandle(message.receiptHandle())
                                                .build())
                                        .toList()))
                        .successful())
                .hasSize(3);

        assertThat(stub.depth(QUEUE)).isZero();
        assertThat(second).isCompletedWithValueMatching(snapshot -> snapshot.count(Api.SQS) == 3);
        assertThat(stub.deletions(QUEUE))
                .hasSize(3)
                .allSatisfy(deletion -> assertThat(deletion.sinceReceiveNanos()).isPositive());
    }

    @Test
    void queuesAreDescribedAndAMissingOneIsAnError() {
        stub.send(QUEUE, List.of("a"));

        assertThat(sqs.getQueueAttributes(request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                        .attributes())
                .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "1")
                .containsKey(QueueAttributeName.MESSAGE_RETENTION_PERIOD);
        assertThatExceptionOfType(QueueDoesNotExistException.class)
                .isThrownBy(() -> sqs.getQueueUrl(request -> request.queueName("none")));
        assertThat(stub.problems()).isEmpty();
    }

    @Test
    void theBankDebitsAKeyOnceAndTellsOfRepeatsAndOfSecondKeys() throws IOException, InterruptedException {
        HttpResponse<String> first = post("/debits", "CHG-1", "CHG-1");
        HttpResponse<String> repeated = post("/debits", "CHG-1", "CHG-1");
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(repeated.statusCode()).isEqualTo(200);
        assertThat(reference(repeated)).isEqualTo(reference(first)).startsWith("DBT-");
        assertThat(stub.ledger()).isEqualTo(new StubBank.Totals(1, 0, 1, 0, 0));

        assertThat(post("/debits", "other", "CHG-1").statusCode()).isEqualTo(201);
        assertThat(post("/notifications", "N-1", "CHG-1").statusCode()).isEqualTo(202);
        assertThat(post("/notifications", "N-1", "CHG-1").statusCode()).isEqualTo(200);

        assertThat(stub.ledger()).isEqualTo(new StubBank.Totals(1, 1, 1, 1, 1));
    }

    @Test
    void anAnswerTakesItsServicesLatency() {
        Duration latency = Duration.ofMillis(300);
        try (StubServer slow = StubServer.start(new Latencies(latency, Duration.ZERO, Duration.ZERO, Duration.ZERO));
                SqsClient client = sqsClient(slow.uri())) {
            slow.createQueue(QUEUE);
            long start = System.nanoTime();

            client.getQueueUrl(request -> request.queueName(QUEUE));

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(latency);
        }
    }

    private static SqsClient sqsClient(URI endpoint) {
        return SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_WEST_1)
                .credentialsProvider(CREDENTIALS)
                .build();
    }

    private List<Message> receive(Consumer<ReceiveMessageRequest.Builder> options) {
        return sqs.receiveMessage(request -> options.accept(request.queueUrl(url)))
                .messages();
    }

    private static ChangeMessageVisibilityBatchRequestEntry visible(String id, String receipt) {
        return ChangeMessageVisibilityBatchRequestEntry.builder()
                .id(id)
                .receiptHandle(receipt)
                .visibilityTimeout(0)
                .build();
    }

    private static MessageAttributeValue string(String value) {
        return MessageAttributeValue.builder()
                .dataType("String")
                .stringValue(value)
                .build();
    }

    private UpdateItemResponse claim(String owner, long now, long leaseUntil, String fingerprint) {
        return dynamo.updateItem(claimRequest(owner, now, leaseUntil, fingerprint));
    }

    private ConditionalCheckFailedException refusedClaim(String owner, long now, long leaseUntil, String fingerprint) {
        return catchThrowableOfType(
                ConditionalCheckFailedException.class, () -> claim(owner, now, leaseUntil, fingerprint));
    }

    private static UpdateItemRequest claimRequest(String owner, long now, long leaseUntil, String fingerprint) {
        return write(
                        "attribute_not_exists(pk) OR "
                                + "(#state = :inProgress AND leaseUntil < :now AND fingerprint = :fingerprint)",
                        "SET #state = :inProgress, #owner = :owner, leaseUntil = :leaseUntil, "
                                + "fence = if_not_exists(fence, :zero) + :one, fingerprint = :fingerprint, "
                                + "detail = if_not_exists(detail, :nothing), "
                                + "createdAt = if_not_exists(createdAt, :now), updatedAt = :now REMOVE releasedBy",
                        owner,
                        Map.of(
                                ":now", number(now),
                                ":leaseUntil", number(leaseUntil),
                                ":fingerprint", text(fingerprint),
                                ":nothing", AttributeValue.fromM(Map.of()),
                                ":zero", number(0),
                                ":one", number(1)))
                .returnValues(ReturnValue.ALL_OLD)
                .build();
    }

    private void finish(String owner) {
        UpdateItemRequest.Builder finish = write(
                HELD,
                "SET #state = :end, outcome = :outcome, expiresAt = :expiresAt, updatedAt = :now, "
                        + "detail.#detail0 = :detail0",
                owner,
                Map.of(
                        ":now", number(6_000),
                        ":end", text("DONE"),
                        ":outcome", text("DEBITED"),
                        ":expiresAt", number(99),
                        ":detail0", text("DBT-1")));
        dynamo.updateItem(
                finish.expressionAttributeNames(Map.of("#state", "state", "#owner", "owner", "#detail0", "reference"))
                        .build());
    }

    private void renew(String owner, long leaseUntil) {
        dynamo.updateItem(write(
                        HELD,
                        "SET leaseUntil = :leaseUntil, updatedAt = :now",
                        owner,
                        Map.of(":now", number(6_000), ":leaseUntil", number(leaseUntil)))
                .build());
    }

    private void release(String owner) {
        dynamo.updateItem(write(
                        HELD,
                        "SET leaseUntil = :past, releasedBy = :owner, updatedAt = :now REMOVE #owner",
                        owner,
                        Map.of(":now", number(6_000), ":past", number(0)))
                .build());
    }

    private static UpdateItemRequest.Builder write(
            String condition, String update, String owner, Map<String, AttributeValue> values) {
        Map<String, AttributeValue> all = new HashMap<>(values);
        all.put(":inProgress", text("IN_PROGRESS"));
        all.put(":owner", text(owner));
        return UpdateItemRequest.builder()
                .tableName(TABLE)
                .key(KEY)
                .conditionExpression(condition)
                .updateExpression(update)
                .expressionAttributeNames(Map.of("#state", "state", "#owner", "owner"))
                .expressionAttributeValues(all)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }

    private Map<String, AttributeValue> item() {
        return dynamo.getItem(request -> request.tableName(TABLE).key(KEY).consistentRead(true))
                .item();
    }

    private static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    private HttpResponse<String> post(String path, String key, String charge) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(stub.uri().resolve(path))
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString("{\"chargeId\":\"" + charge + "\"}"))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String reference(HttpResponse<String> response) throws IOException {
        return new ObjectMapper().readTree(response.body()).path("reference").asText();
    }
}
