package com.finedge.once.adapter.sqs;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/**
 * The calls that the SDK's batch manager makes, by the blocking client on virtual threads.
 *
 * <p>The manager takes an asynchronous client only, and that brings a second HTTP stack: for one call in five messages it
 * cost a tenth and more of the processor time. Every other operation is unsupported.
 */
public final class BlockingBatchCalls implements SqsAsyncClient {

    private static final Executor CALLS = Thread.ofVirtual().name("sqs-batch-", 0)::start;

    private final SqsClient sqs;
    private final Duration callTimeout;

    /**
     * @param sqs stays open when this is closed
     * @param callTimeout how long a call may take with all its retries
     */
    public BlockingBatchCalls(SqsClient sqs, Duration callTimeout) {
        this.sqs = sqs;
        this.callTimeout = callTimeout;
    }

    @Override
    public CompletableFuture<DeleteMessageBatchResponse> deleteMessageBatch(DeleteMessageBatchRequest request) {
        DeleteMessageBatchRequest timed = request.toBuilder()
                .overrideConfiguration(call -> call.apiCallTimeout(callTimeout))
                .build();
        return CompletableFuture.supplyAsync(() -> sqs.deleteMessageBatch(timed), CALLS);
    }

    @Override
    public CompletableFuture<ChangeMessageVisibilityBatchResponse> changeMessageVisibilityBatch(
            ChangeMessageVisibilityBatchRequest request) {
        ChangeMessageVisibilityBatchRequest timed = request.toBuilder()
                .overrideConfiguration(call -> call.apiCallTimeout(callTimeout))
                .build();
        return CompletableFuture.supplyAsync(() -> sqs.changeMessageVisibilityBatch(timed), CALLS);
    }

    @Override
    public CompletableFuture<SendMessageBatchResponse> sendMessageBatch(SendMessageBatchRequest request) {
        SendMessageBatchRequest timed = request.toBuilder()
                .overrideConfiguration(call -> call.apiCallTimeout(callTimeout))
                .build();
        return CompletableFuture.supplyAsync(() -> sqs.sendMessageBatch(timed), CALLS);
    }

    @Override
    public String serviceName() {
        return sqs.serviceName();
    }

    @Override
    public void close() {}
}
