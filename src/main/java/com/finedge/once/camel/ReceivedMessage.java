package com.finedge.once.camel;

import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.aws2.sqs.Sqs2Constants;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * One delivery of a message, kept apart from the exchange's headers and body, which any step may change or remove.
 *
 * @param queue the name of the queue it came from
 * @param id the queue's id of the message, the same for all its deliveries
 * @param receiptHandle what this delivery is deleted or hidden with
 * @param body as it came, to the byte
 * @param receives how often it was received, this delivery included, as SQS counts
 * @param traceparent the sender's trace context, if it is well-formed
 * @param redrives how often it was sent back from the dead-letter queue, as an attribute says
 */
public record ReceivedMessage(
        String queue,
        String id,
        String receiptHandle,
        String body,
        int receives,
        @Nullable String traceparent,
        int redrives) {

    /** W3C Trace Context; a version {@code ff} and ids of nothing but zeros are none. */
    private static final Pattern TRACEPARENT_FORM =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

    private static final Pattern COUNT = Pattern.compile("[0-9]{1,4}");

    /**
     * Takes the delivery off an exchange that came from SQS.
     *
     * @throws IllegalStateException if a step before has lost it already
     */
    static ReceivedMessage of(Exchange exchange, String queue) {
        Message in = exchange.getMessage();
        String traceparent = in.getHeader(MessageAttributes.TRACEPARENT, String.class);
        return new ReceivedMessage(
                queue,
                required(in, Sqs2Constants.MESSAGE_ID),
                required(in, Sqs2Constants.RECEIPT_HANDLE),
                Objects.requireNonNullElse(in.getBody(String.class), ""),
                receives(in),
                traceparent != null && TRACEPARENT_FORM.matcher(traceparent).matches() ? traceparent : null,
                redrives(in.getHeader(MessageAttributes.REDRIVES, String.class)));
    }

    private static int receives(Message in) {
        Integer count = in.getHeader(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT.toString(), Integer.class);
        return count == null ? 1 : count;
    }

    private static int redrives(@Nullable String count) {
        return count != null && COUNT.matcher(count).matches() ? Integer.parseInt(count) : 0;
    }

    private static String required(Message message, String header) {
        String value = message.getHeader(header, String.class);
        if (value == null) {
            throw new IllegalStateException("the header " + header + " is gone: keep the message in the first step");
        }
        return value;
    }

    /** Without body and receipt: this may be logged. */
    @Override
    public String toString() {
        return "message " + id + " of " + queue;
    }
}
