package com.finedge.once.adapter.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.semconv.ErrorAttributes;

/** What spans say beside their name: ids, names and results; the names of OpenTelemetry's conventions where it has any. */
final class SpanAttributes {

    static final AttributeKey<String> MESSAGING_SYSTEM = AttributeKey.stringKey("messaging.system");
    static final AttributeKey<String> DESTINATION = AttributeKey.stringKey("messaging.destination.name");
    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("messaging.operation.name");
    static final AttributeKey<String> OPERATION_TYPE = AttributeKey.stringKey("messaging.operation.type");
    static final AttributeKey<String> MESSAGE_ID = AttributeKey.stringKey("messaging.message.id");

    /** How often the message was received, this delivery included. */
    static final AttributeKey<Long> RECEIVES = AttributeKey.longKey("once.message.receives");

    static final AttributeKey<String> CHARGE_ID = AttributeKey.stringKey("once.charge.id");
    static final AttributeKey<String> SAGA_ID = AttributeKey.stringKey("once.saga.id");

    /** What became of an attempt at a charge. */
    static final AttributeKey<String> ATTEMPT_STATUS = AttributeKey.stringKey("once.attempt.status");

    /** What the claim store said. */
    static final AttributeKey<String> CLAIM_OUTCOME = AttributeKey.stringKey("once.claim.outcome");

    static final AttributeKey<String> DB_SYSTEM = AttributeKey.stringKey("db.system.name");

    private SpanAttributes() {}

    /** Of a message that is sent or processed. */
    static SpanBuilder message(SpanBuilder span, String operation, String queue) {
        return span.setAttribute(MESSAGING_SYSTEM, "aws_sqs")
                .setAttribute(DESTINATION, queue)
                .setAttribute(OPERATION, operation)
                .setAttribute(OPERATION_TYPE, operation);
    }

    /** Ends a span that has failed. Not with the failure's text, which may quote anything. */
    static void failed(Span span, String type) {
        span.setAttribute(ErrorAttributes.ERROR_TYPE, type).setStatus(StatusCode.ERROR);
    }
}
