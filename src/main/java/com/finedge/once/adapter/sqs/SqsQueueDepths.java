package com.finedge.once.adapter.sqs;

import com.finedge.once.saga.QueueDepths;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Looks into queues by their attributes: visible, hidden and delayed messages all count. */
public final class SqsQueueDepths implements QueueDepths {

    private static final Logger log = LoggerFactory.getLogger(SqsQueueDepths.class);

    private static final Set<QueueAttributeName> COUNTS = Set.of(
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
            QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);

    private final SqsClient sqs;
    private final SqsQueues queues;
    private final String prefix;

    /** @param prefix what the names of queues have before the names that are asked for */
    public SqsQueueDepths(SqsClient sqs, SqsQueues queues, String prefix) {
        this.sqs = sqs;
        this.queues = queues;
        this.prefix = prefix;
    }

    @Override
    public Set<String> filled(Set<String> names) {
        return names.stream().filter(this::isFilled).collect(Collectors.toSet());
    }

    private boolean isFilled(String name) {
        try {
            String url = queues.named(prefix + name).url();
            return sqs
                    .getQueueAttributes(request -> request.queueUrl(url).attributeNames(COUNTS))
                    .attributes()
                    .values()
                    .stream()
                    .anyMatch(count -> !count.equals("0"));
        } catch (SdkException e) {
            log.warn("The queue {} can't be asked for its messages, so it may hold some: {}", name, e.toString());
            return true;
        }
    }
}
