package com.finedge.once.camel;

import org.apache.camel.Endpoint;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;
import org.apache.camel.spi.EndpointStrategy;

/** Gives every SQS endpoint the allow-list of {@link MessageAttributes}, in whatever YAML it stands. */
public final class GuardedSqsEndpoints implements EndpointStrategy {

    private final MessageAttributes attributes = new MessageAttributes();

    @Override
    public Endpoint registerEndpoint(String uri, Endpoint endpoint) {
        if (endpoint instanceof Sqs2Endpoint sqs) {
            sqs.setHeaderFilterStrategy(attributes);
        }
        return endpoint;
    }
}
