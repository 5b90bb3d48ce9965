package com.finedge.once.camel;

import com.finedge.once.adapter.opentelemetry.Traces;
import com.finedge.once.adapter.sqs.SqsMessages;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.claim.Heartbeat;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Variable;
import org.apache.camel.support.SynchronizationAdapter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The beginning and the ends of a message: keep it, delete it, put it off, copy it to the dead-letter queue. */
public final class MessageSteps {

    private static final Logger log = LoggerFactory.getLogger(MessageSteps.class);

    private final SqsMessages messages;
    private final SqsQueues queues;
    private final Heartbeat heartbeat;
    private final InstantSource clock;
    private final Traces traces;

    public MessageSteps(
            SqsMessages messages, SqsQueues queues, Heartbeat heartbeat, InstantSource clock, Traces traces) {
        this.messages = messages;
        this.queues = queues;
        this.heartbeat = heartbeat;
        this.clock = clock;
        this.traces = traces;
    }

    /**
     * Takes the message off the exchange into the variable "message", and holds it until the exchange ends; a route's
     * first step, before any other can lose what the ends need. The variable "queue" names the queue it came from.
     *
     * @throws IllegalStateException if a step before has lost it already
     */
    public void received(Exchange exchange, @Variable("queue") String queue) {
        ReceivedMessage message = ReceivedMessage.of(exchange, queue);
        LogContext.message(message);
        Traces.Work work = traces.process(queue, message.id(), message.receives(), message.traceparent());
        heartbeat.started(
                message.receiptHandle(),
                messages.held(queues.named(queue).url(), message.receiptHandle(), message.id()));
        exchange.getExchangeExtension().addOnCompletion(new SynchronizationAdapter() {
            @Override
            public void onDone(Exchange done) {
                heartbeat.letGo(message.receiptHandle());
                work.end(done.getException());
                LogContext.clear();
            }
        });
        exchange.setVariable("message", message);
    }

    /** Deletes the message: it has ended. */
    public void delete(@Variable("message") ReceivedMessage message) {
        messages.delete(queues.named(message.queue()).url(), message.receiptHandle(), message.id());
    }

    /** Puts the message off. */
    public void defer(@Variable("message") ReceivedMessage message, @Variable("delay") Duration delay) {
        log.debug("{}: put off for {}", message, delay);
        // A beat after this would cut the delay short.
        heartbeat.letGo(message.receiptHandle());
        messages.hide(queues.named(message.queue()).url(), message.receiptHandle(), message.id(), delay);
    }

    /**
     * Turns the exchange's message into the copy for the dead-letter queue: the body as it came, and nothing but the
     * attributes that are allowed out, eight at the most of the ten that SQS takes.
     */
    public void prepareDeadLetter(
            Exchange exchange,
            @Variable("message") ReceivedMessage message,
            @Variable("code") String code,
            @Variable("reason") String reason,
            @Nullable @Variable("businessKey") String businessKey) {
        log.warn("{}: to the dead-letter queue, {} ({}){}", message, code, reason, of(businessKey));
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(MessageAttributes.CODE, code);
        attributes.put(MessageAttributes.REASON, reason);
        attributes.put(MessageAttributes.ORIGINAL_MESSAGE_ID, message.id());
        attributes.put(MessageAttributes.SOURCE_QUEUE, message.queue());
        attributes.put(MessageAttributes.FAILED_AT, clock.instant().toString());
        if (businessKey != null) {
            attributes.put(MessageAttributes.BUSINESS_KEY, businessKey);
        }
        if (message.traceparent() != null) {
            attributes.put(MessageAttributes.TRACEPARENT, message.traceparent());
        }
        if (message.redrives() > 0) {
            attributes.put(MessageAttributes.REDRIVES, Integer.toString(message.redrives()));
        }
        exchange.getMessage().setHeaders(attributes);
        exchange.getMessage().setBody(message.body());
    }

    private static String of(@Nullable String businessKey) {
        return businessKey == null ? "" : ", key " + businessKey;
    }
}
