package com.finedge.once.adapter.sqs;

import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Message attributes, all of them strings. */
final class SqsAttributes {

    /** Counts to the size of a message, as name and value do. */
    static final String TYPE = "String";

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
