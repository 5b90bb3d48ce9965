package com.finedge.once.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;

/** A loop over the SDK with nothing around it: what a consumer can come to, without what running one takes. */
final class HandWrittenPeer {

    private static final int IN_FLIGHT = 256;
    private static final int POLLERS = 4;
    private static final int BATCH = 10;
    private static final Duration BATCH_WAIT = Duration.ofMillis(50);

    private final Semaphore permits = new Semaphore(IN_FLIGHT);
    private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    private final SqsClient sqs;
    private final String queueUrl;
    private final ChargeWork work;

    private HandWrittenPeer(Peer.Endpoints endpoints) {
        sqs = SqsClient.builder()
                .region(Region.EU_WEST_1)
                .endpointOverride(endpoints.sqs())
                .httpClientBuilder(ApacheHttpClient.builder().socketTimeout(Duration.ofSeconds(25)))
                .build();
        queueUrl =
                sqs.getQueueUrl(request -> request.queueName(endpoints.queue())).queueUrl();
        work = ChargeWork.of(endpoints, IN_FLIGHT);
    }

    public static void main(String[] args) throws InterruptedException {
        HandWrittenPeer peer = new HandWrittenPeer(Peer.Endpoints.of(args));
        for (int i = 0; i < POLLERS; i++) {
            Thread.ofPlatform().name("poller-" + i).start(peer::poll);
        }
        peer.delete();
    }

    private void poll() {
        while (true) {
            permits.acquireUninterruptibly(BATCH);
            List<Message> messages = sqs.receiveMessage(request -> request.queueUrl(queueUrl)
                            .maxNumberOfMessages(BATCH)
                            .waitTimeSeconds(20)
                            .visibilityTimeout(60))
                    .messages();
            permits.release(BATCH - messages.size());
            messages.forEach(message -> Thread.startVirtualThread(() -> handle(message)));
        }
    }

    private void handle(Message message) {
        try {
            if (work.ends(message.body())) {
                ended.add(message.receiptHandle());
            }
        } finally {
            permits.release();
        }
    }

    private void delete() throws InterruptedException {
        while (true) {
            List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>();
            String receipt = ended.take();
            long until = System.nanoTime() + BATCH_WAIT.toNanos();
            while (receipt != null) {
                entries.add(DeleteMessageBatchRequestEntry.builder()
                        .id(String.valueOf(entries.size()))
                        .receiptHandle(receipt)
                        .build());
                receipt = entries.size() == BATCH ? null : ended.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            Thread.startVirtualThread(() ->
                    sqs.deleteMessageBatch(request -> request.queueUrl(queueUrl).entries(entries)));
        }
    }
}
