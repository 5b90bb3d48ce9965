package com.finedge.once.camel;

import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;

/** Has every queue, and nothing else: each other call fails. */
final class NoSqs implements SqsClient {

    @Override
    public GetQueueUrlResponse getQueueUrl(GetQueueUrlRequest request) {
        return GetQueueUrlResponse.builder()
                .queueUrl("http://sqs/000000000000/" + request.queueName())
                .build();
    }

    @Override
    public GetQueueAttributesResponse getQueueAttributes(GetQueueAttributesRequest request) {
        return GetQueueAttributesResponse.builder().build();
    }

    @Override
    public String serviceName() {
        return "sqs";
    }

    @Override
    public void close() {}

    /** Every call of it fails. */
    static class Async implements SqsAsyncClient {
        @Override
        public String serviceName() {
            return "sqs";
        }

        @Override
        public void close() {}
    }
}
