package com.finedge.once.camel;

import java.util.Set;
import org.apache.camel.Exchange;
import org.apache.camel.spi.HeaderFilterStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Which message attributes cross the border between a queue and an exchange: an allow-list each way.
 *
 * <p>Attributes come from whoever may send to the queue. In Camel 4.17 they become headers, and a header such as
 * {@code CamelAwsSqsOperation=purgeQueue} steers a later send (CVE-2026-46456).
 */
public final class MessageAttributes implements HeaderFilterStrategy {

    static final String CODE = "code";
    static final String REASON = "reason";
    static final String BUSINESS_KEY = "businessKey";
    static final String ORIGINAL_MESSAGE_ID = "originalMessageId";
    static final String SOURCE_QUEUE = "sourceQueue";
    static final String FAILED_AT = "failedAt";
    static final String TRACEPARENT = "traceparent";
    static final String SAGA_ID = "sagaId";

    /** How often the message was sent back from the dead-letter queue. */
    static final String REDRIVES = "redrives";

    static final Set<String> IN = Set.of(TRACEPARENT, SAGA_ID, REDRIVES);
    static final Set<String> OUT =
            Set.of(CODE, REASON, BUSINESS_KEY, ORIGINAL_MESSAGE_ID, SOURCE_QUEUE, FAILED_AT, TRACEPARENT, REDRIVES);

    /** @return true for a header that must not leave */
    @Override
    public boolean applyFilterToCamelHeaders(String name, @Nullable Object value, Exchange exchange) {
        return !OUT.contains(name);
    }

    /** @return true for an attribute that must not come in */
    @Override
    public boolean applyFilterToExternalHeaders(String name, @Nullable Object value, Exchange exchange) {
        return !IN.contains(name);
    }
}
