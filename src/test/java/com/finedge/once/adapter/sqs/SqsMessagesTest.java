package com.finedge.once.adapter.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;

class SqsMessagesTest {

    private static final String QUEUE = "http://sqs/000000000000/charges";

    private final ScriptedSqs sqs = new ScriptedSqs();
    private final SqsMessages messages = new SqsMessages(sqs, Duration.ofSeconds(5));

    @AfterEach
    void close() {
        messages.close();
    }

    private void untilNothingIsPending() {
        await().atMost(Duration.ofSeconds(10)).until(() -> messages.pending() == 0);
    }

    @Test
    void deletesGoOutInBatchesOfTen() {
        for (int i = 0; i < 100; i++) {
            messages.delete(QUEUE, "receipt-" + i, "message-" + i);
        }
        untilNothingIsPending();

        assertThat(sqs.deleted).hasSize(100).doesNotHaveDuplicates();
        assertThat(sqs.deleteCalls).hasValue(10);
    }

    @Test
    void aFewDeletesGoOutWithoutWaitingForMore() {
        messages.delete(QUEUE, "receipt-1", "message-1");
        untilNothingIsPending();

        assertThat(sqs.deleted).containsExactly("receipt-1");
    }

    @Test
    void anEntryThatFailsUnderASuccessfulAnswerIsTriedAgainAlone() {
        sqs.failures.put("receipt-4", new AtomicInteger(2));
        for (int i = 0; i < 10; i++) {
            messages.delete(QUEUE, "receipt-" + i, "message-" + i);
        }
        untilNothingIsPending();

        assertThat(sqs.deleted).hasSize(10).doesNotHaveDuplicates();
        assertThat(sqs.deleteCalls).hasValue(3);
    }

    @Test
    void anEntryThatGoesOnFailingIsLeftToItsRedelivery() {
        sqs.failures.put("receipt-1", new AtomicInteger(Integer.MAX_VALUE));
        messages.delete(QUEUE, "receipt-1", "message-1");
        messages.delete(QUEUE, "receipt-2", "message-2");
        untilNothingIsPending();

        assertThat(sqs.deleted).containsExactly("receipt-2");
        assertThat(sqs.deleteCalls).hasValue(3);
    }

    @Test
    void whatIsPendingIsFlushedAtTheStop() {
        for (int i = 0; i < 7; i++) {
            messages.delete(QUEUE, "receipt-" + i, "message-" + i);
        }
        messages.close();

        assertThat(sqs.deleted).hasSize(7);
        assertThat(messages.pending()).isZero();
    }

    @Test
    void aVisibilityIsRoundedUpToWholeSecondsWithinWhatSqsAllows() {
        messages.hide(QUEUE, "a", "a", Duration.ZERO);
        messages.hide(QUEUE, "b", "b", Duration.ofMillis(1));
        messages.hide(QUEUE, "c", "c", Duration.ofMillis(21_300));
        messages.hide(QUEUE, "d", "d", Duration.ofDays(2));
        messages.hide(QUEUE, "e", "e", Duration.ofSeconds(-3));
        untilNothingIsPending();

        assertThat(sqs.hidden).containsExactlyInAnyOrder("a=0", "b=1", "c=22", "d=39600", "e=0");
    }

    /** Answers as SQS does, and fails the entries that it is told to fail. */
    private static final class ScriptedSqs implements SqsAsyncClient {

        private final ConcurrentHashMap<String, AtomicInteger> failures = new ConcurrentHashMap<>();
        private final List<String> deleted = new CopyOnWriteArrayList<>();
        private final List<String> hidden = new CopyOnWriteArrayList<>();
        private final AtomicInteger deleteCalls = new AtomicInteger();

        @Override
        public CompletableFuture<DeleteMessageBatchResponse> deleteMessageBatch(DeleteMessageBatchRequest request) {
            deleteCalls.incrementAndGet();
            List<DeleteMessageBatchResultEntry> successful = new ArrayList<>();
            List<BatchResultErrorEntry> failed = new ArrayList<>();
            for (DeleteMessageBatchRequestEntry entry : request.entries()) {
                AtomicInteger left = failures.get(entry.receiptHandle());
                if (left != null && left.getAndDecrement() > 0) {
                    failed.add(BatchResultErrorEntry.builder()
                            .id(entry.id())
                            .code("InternalError")
                            .senderFault(false)
                            .build());
                } else {
                    deleted.add(entry.receiptHandle());
                    successful.add(DeleteMessageBatchResultEntry.builder()
                            .id(entry.id())
                            .build());
                }
            }
            return CompletableFuture.completedFuture(DeleteMessageBatchResponse.builder()
                    .successful(successful)
                    .failed(failed)
                    .build());
        }

        @Override
        public CompletableFuture<ChangeMessageVisibilityBatchResponse> changeMessageVisibilityBatch(
                ChangeMessageVisibilityBatchRequest request) {
            request.entries().forEach(entry -> hidden.add(entry.receiptHandle() + "=" + entry.visibilityTimeout()));
            return CompletableFuture.completedFuture(ChangeMessageVisibilityBatchResponse.builder()
                    .successful(request.entries().stream()
                            .map(entry -> ChangeMessageVisibilityBatchResultEntry.builder()
                                    .id(entry.id())
                                    .build())
                            .toList())
                    .build());
        }

        @Override
        public String serviceName() {
            return "sqs";
        }

        @Override
        public void close() {}
    }
}
