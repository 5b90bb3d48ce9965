package com.finedge.once.bench;

import com.finedge.once.dev.DynaliteServer;
import com.finedge.once.dev.ElasticMqServer;
import com.finedge.once.dev.LocalResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** ElasticMQ and dynalite, with the stub's bank: other people's idea of SQS and DynamoDB. */
final class EmulatorRig implements Rig {

    private static final LocalResources RESOURCES = LocalResources.STANDARD;
    private static final int BATCH = 10;

    private final ElasticMqServer queues = ElasticMqServer.start(0);
    private final DynaliteServer tables = DynaliteServer.start(0);
    private final StubServer bank = StubServer.start(Latencies.cloud());
    private final SqsClient sqs;
    private final String queueUrl;
    private final String deadLetterUrl;
    private double chargesPerMessage = 1;

    EmulatorRig() {
        var credentials = StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));
        sqs = SqsClient.builder()
                .endpointOverride(queues.endpoint())
                .region(Region.EU_WEST_1)
                .credentialsProvider(credentials)
                .build();
        try (DynamoDbClient dynamo = DynamoDbClient.builder()
                .endpointOverride(tables.endpoint())
                .region(Region.EU_WEST_1)
                .credentialsProvider(credentials)
                .build()) {
            RESOURCES.createIn(sqs, dynamo);
        }
        queueUrl = url(RESOURCES.queue());
        deadLetterUrl = url(RESOURCES.deadLetterQueue());
    }

    @Override
    public Peer.Endpoints endpoints() {
        return new Peer.Endpoints(
                queues.endpoint(),
                tables.endpoint(),
                bank.uri(),
                RESOURCES.queue(),
                RESOURCES.deadLetterQueue(),
                RESOURCES.table());
    }

    @Override
    public void load(Workload workload) {
        List<String> bodies = workload.bodies();
        chargesPerMessage = workload.charges() / (double) bodies.size();
        for (int from = 0; from < bodies.size(); from += BATCH) {
            List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
            for (String body : bodies.subList(from, Math.min(bodies.size(), from + BATCH))) {
                entries.add(SendMessageBatchRequestEntry.builder()
                        .id("e" + entries.size())
                        .messageBody(body)
                        .build());
            }
            SendMessageBatchResponse sent =
                    sqs.sendMessageBatch(request -> request.queueUrl(queueUrl).entries(entries));
            if (sent.hasFailed()) {
                throw new IllegalStateException("not sent: " + sent.failed());
            }
        }
    }

    /** Deletes can't be seen here; the debits, which the repeats are spread among evenly, can. */
    @Override
    public CompletableFuture<StubServer.Snapshot> at(int messages) {
        return bank.atDebit((int) Math.round(messages * chargesPerMessage));
    }

    @Override
    public int done() {
        return (int) Math.round(bank.snapshot().debitedCharges() / chargesPerMessage);
    }

    @Override
    public int depth() {
        return depth(queueUrl);
    }

    @Override
    public int deadLetters() {
        return depth(deadLetterUrl);
    }

    @Override
    public Optional<List<StubSqs.Deletion>> deletions(StubServer.Snapshot from, StubServer.Snapshot to) {
        return Optional.empty();
    }

    @Override
    public StubBank.Totals ledger() {
        return bank.ledger();
    }

    @Override
    public List<String> problems() {
        return bank.problems();
    }

    @Override
    public void close() {
        sqs.close();
        bank.close();
        tables.close();
        queues.close();
    }

    private String url(String queue) {
        return sqs.getQueueUrl(request -> request.queueName(queue)).queueUrl();
    }

    private int depth(String url) {
        Map<QueueAttributeName, String> attributes = sqs.getQueueAttributes(
                        request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                .attributes();
        return Integer.parseInt(attributes.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES))
                + Integer.parseInt(attributes.get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE));
    }
}
