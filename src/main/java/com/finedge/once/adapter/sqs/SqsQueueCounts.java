package com.finedge.once.adapter.sqs;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** How many messages queues hold, as SQS counts them: about. */
public final class SqsQueueCounts {

    private static final Logger log = LoggerFactory.getLogger(SqsQueueCounts.class);

    private static final Set<QueueAttributeName> COUNTS = Set.of(
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);

    private final SqsClient sqs;
    private final SqsQueues queues;

    public SqsQueueCounts(SqsClient sqs, SqsQueues queues) {
        this.sqs = sqs;
        this.queues = queues;
    }

    /**
     * Messages in a queue.
     *
     * @param visible those that can be received
     * @param hidden those that were received and not deleted yet, and those whose delay isn't over
     */
    public record Count(long visible, long hidden) {}

    /** Of the queue of that name; nothing if there is none, or if it can't be asked. */
    public Optional<Count> of(String name) {
        try {
            String url = queues.named(name).url();
            Map<QueueAttributeName, String> counts = sqs.getQueueAttributes(
                            request -> request.queueUrl(url).attributeNames(COUNTS))
                    .attributes();
            return Optional.of(new Count(
                    number(counts, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES),
                    number(counts, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)
                            + number(counts, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED)));
        } catch (SdkException e) {
            log.debug("The queue {} can't be asked for its messages: {}", name, e.toString());
            return Optional.empty();
        }
    }

    private static long number(Map<QueueAttributeName, String> counts, QueueAttributeName name) {
        return Long.parseLong(counts.getOrDefault(name, "0"));
    }
}
