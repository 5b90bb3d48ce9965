package com.finedge.once.adapter.sqs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** Looks queues up by name, each once; makes none. */
public final class SqsQueues {

    /** The most that SQS allows: assumed of a server that doesn't say. */
    private static final Duration LONGEST_RETENTION = Duration.ofDays(14);

    private static final ObjectMapper JSON = new ObjectMapper();

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
        Map<QueueAttributeName, String> attributes = sqs.getQueueAttributes(request -> request.queueUrl(url)
                        .attributeNames(QueueAttributeName.MESSAGE_RETENTION_PERIOD, QueueAttributeName.REDRIVE_POLICY))
                .attributes();
        String retention = attributes.get(QueueAttributeName.MESSAGE_RETENTION_PERIOD);
        return new SqsQueue(
                name,
                url,
                retention == null ? LONGEST_RETENTION : Duration.ofSeconds(Long.parseLong(retention)),
                retention != null,
                maxReceiveCount(attributes.get(QueueAttributeName.REDRIVE_POLICY)),
                deadLetterQueue(attributes.get(QueueAttributeName.REDRIVE_POLICY)));
    }

    private static @Nullable Integer maxReceiveCount(@Nullable String redrivePolicy) {
        // A number, or a string of digits: SQS takes both and gives back what it took.
        int count = policy(redrivePolicy).path("maxReceiveCount").asInt();
        return count == 0 ? null : count;
    }

    /** The last part of its ARN. */
    private static @Nullable String deadLetterQueue(@Nullable String redrivePolicy) {
        String arn = policy(redrivePolicy).path("deadLetterTargetArn").asText();
        return arn.isEmpty() ? null : arn.substring(arn.lastIndexOf(':') + 1);
    }

    private static JsonNode policy(@Nullable String redrivePolicy) {
        if (redrivePolicy == null) {
            return MissingNode.getInstance();
        }
        try {
            return JSON.readTree(redrivePolicy);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the redrive policy can't be read: " + redrivePolicy, e);
        }
    }
}
