package com.finedge.once.adapter.sqs;

import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Message attributes, all of them strings. */
final class SqsAttributes {

    /** Counts to the size of a message, as name and value do. */
    static final String TYPE = "String";

    static final String CODE = "code";
    static final String REASON = "reason";
    static final String ORIGINAL_MESSAGE_ID = "originalMessageId";
    static final String FAILED_AT = "failedAt";
    static final String TRACEPARENT = "traceparent";

    /** How often a message was sent back from its dead-letter queue. */
    static final String REDRIVES = "redrives";

    /** The id of the message that a corrected one stands for. */
    static final String REPLACES = "replaces";

    private SqsAttributes() {}

    static Map<String, MessageAttributeValue> of(Map<String, String> attributes) {
        return attributes.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        attribute -> MessageAttributeValue.builder()
                                .dataType(TYPE)
                                .stringValue(attribute.getValue())
                                .build()));
    }
}
