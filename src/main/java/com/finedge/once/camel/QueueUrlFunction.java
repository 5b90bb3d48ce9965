package com.finedge.once.camel;

import com.finedge.once.adapter.sqs.SqsQueues;
import org.apache.camel.spi.PropertiesFunction;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * {@code {{queue-url:NAME}}} in a route is the URL of the queue of that name. Given its URL, Camel's component doesn't
 * list the account's queues to find it.
 */
public final class QueueUrlFunction implements PropertiesFunction {

    private final SqsQueues queues;

    public QueueUrlFunction(SqsQueues queues) {
        this.queues = queues;
    }

    @Override
    public String getName() {
        return "queue-url";
    }

    @Override
    public String apply(String name) {
        try {
            return queues.named(name).url();
        } catch (QueueDoesNotExistException e) {
            // Its own message doesn't say which, and says nothing else.
            throw QueueDoesNotExistException.builder()
                    .message("there is no queue " + name)
                    .build();
        }
    }
}
