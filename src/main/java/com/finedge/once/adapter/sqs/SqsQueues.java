package com.finedge.once.adapter.sqs;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** Looks queues up by name, each once; makes none. */
public final class SqsQueues {

    /** The most that SQS allows: assumed of a server that doesn't say. */
    private static final Duration LONGEST_RETENTION = Duration.ofDays(14);

    private final SqsClient sqs;
    private final ConcurrentMap<String, SqsQueue> known = new ConcurrentHashMap<>();

    public SqsQueues(SqsClient sqs) {
        this.sqs = sqs;
    }

    /**
     * The queue of that name.
     *
     * @throws QueueDoesNotExistException if there is none
     * @throws software.amazon.awssdk.core.exception.SdkException if SQS can't be asked
     */
    public SqsQueue named(String name) {
        return known.computeIfAbsent(name, this::lookUp);
    }

    private SqsQueue lookUp(String name) {
        String url = sqs.getQueueUrl(request -> request.queueName(name)).queueUrl();
        Map<QueueAttributeName, String> attributes = sqs.getQueueAttributes(
                        request -> request.queueUrl(url).attributeNames(QueueAttributeName.MESSAGE_RETENTION_PERIOD))
                .attributes();
        String retention = attributes.get(QueueAttributeName.MESSAGE_RETENTION_PERIOD);
        return new SqsQueue(
                name, url, retention == null ? LONGEST_RETENTION : Duration.ofSeconds(Long.parseLong(retention)));
    }
}
