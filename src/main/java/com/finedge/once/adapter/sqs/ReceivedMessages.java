package com.finedge.once.adapter.sqs;

import com.finedge.once.claim.Heartbeat;
import java.util.function.Supplier;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/**
 * Tells the heartbeat of every message that SQS hands out, at the moment it does. A consumer would tell it only of those
 * whose turn comes; what it drops at a stop would stay hidden for a whole visibility time-out.
 */
public final class ReceivedMessages implements ExecutionInterceptor {

    /** Of a receive whose messages nobody works on: who looks at dead letters hands them back or deletes them. */
    static final ExecutionAttribute<Boolean> ONLY_LOOKED_AT = new ExecutionAttribute<>("onlyLookedAt");

    private final Heartbeat heartbeat;
    private final Supplier<SqsMessages> messages;

    /** @param messages asked for late: they use the client that this listens to */
    public ReceivedMessages(Heartbeat heartbeat, Supplier<SqsMessages> messages) {
        this.heartbeat = heartbeat;
        this.messages = messages;
    }

    @Override
    public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
        if (context.request() instanceof ReceiveMessageRequest request
                && context.response() instanceof ReceiveMessageResponse response
                && attributes.getAttribute(ONLY_LOOKED_AT) == null) {
            response.messages()
                    .forEach(message -> heartbeat.received(
                            message.receiptHandle(),
                            messages.get().held(request.queueUrl(), message.receiptHandle(), message.messageId())));
        }
    }
}
