package com.finedge.once.bench;

import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Camel's aws2-sqs with nothing set but the queue: one message a poll, a pause between polls, a delete a message. */
final class CamelPeer {

    private CamelPeer() {}

    public static void main(String[] args) throws Exception {
        Peer.Endpoints endpoints = Peer.Endpoints.of(args);
        ChargeWork work = ChargeWork.of(endpoints, 1);
        SqsClient sqs = SqsClient.builder()
                .region(Region.EU_WEST_1)
                .endpointOverride(endpoints.sqs())
                .build();
        String queueUrl =
                sqs.getQueueUrl(request -> request.queueName(endpoints.queue())).queueUrl();
        try (var camel = new DefaultCamelContext()) {
            camel.getRegistry().bind("sqs", sqs);
            camel.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("aws2-sqs:" + endpoints.queue() + "?amazonSQSClient=#sqs&queueUrl=" + queueUrl)
                            .process(exchange -> {
                                if (!work.ends(exchange.getMessage().getBody(String.class))) {
                                    // Whatever doesn't fail is deleted.
                                    throw new IllegalStateException("in progress elsewhere");
                                }
                            });
                }
            });
            camel.start();
            Thread.currentThread().join();
        }
    }
}
