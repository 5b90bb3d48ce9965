package com.finedge.once.support;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** A queue as a test sees it from outside. */
public record Queue(SqsClient sqs, String url) {

    /** The queue of that name. */
    public static Queue named(SqsClient sqs, String name) {
        return new Queue(
                sqs, sqs.getQueueUrl(request -> request.queueName(name)).queueUrl());
    }

    /** Sends a message and returns its id. */
    public String send(String body) {
        return send(body, Map.of());
    }

    /** Sends a message with attributes and returns its id. */
    public String send(String body, Map<String, String> attributes) {
        Map<String, MessageAttributeValue> values = new HashMap<>();
        attributes.forEach((name, value) -> values.put(
                name,
                MessageAttributeValue.builder()
                        .dataType("String")
                        .stringValue(value)
                        .build()));
        return sqs.sendMessage(
                        request -> request.queueUrl(url).messageBody(body).messageAttributes(values))
                .messageId();
    }

    /** How many messages it holds: visible, hidden and delayed. */
    public int size() {
        Map<QueueAttributeName, String> attributes = sqs.getQueueAttributes(
                        request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                .attributes();
        return number(attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES)
                + number(attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)
                + number(attributes, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);
    }

    private static int number(Map<QueueAttributeName, String> attributes, QueueAttributeName name) {
        return Integer.parseInt(attributes.getOrDefault(name, "0"));
    }

    /** An attribute of a message, empty where it has none of that name. */
    public static String attribute(Message message, String name) {
        MessageAttributeValue value = message.messageAttributes().get(name);
        return value == null ? "" : value.stringValue();
    }

    /** Takes every visible message off the queue. */
    public List<Message> drain() {
        List<Message> all = new ArrayList<>();
        while (true) {
            List<Message> some = sqs.receiveMessage(request ->
                            request.queueUrl(url).maxNumberOfMessages(10).messageAttributeNames("All"))
                    .messages();
            if (some.isEmpty()) {
                return all;
            }
            all.addAll(some);
            sqs.deleteMessageBatch(request -> request.queueUrl(url)
                    .entries(some.stream()
                            .map(message -> DeleteMessageBatchRequestEntry.builder()
                                    .id(message.messageId())
                                    .receiptHandle(message.receiptHandle())
                                    .build())
                            .toList()));
        }
    }
}
