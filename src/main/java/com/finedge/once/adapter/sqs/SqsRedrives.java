package com.finedge.once.adapter.sqs;

import com.finedge.once.deadletter.DeadLetter;
import com.finedge.once.deadletter.RedrivableQueue;
import java.util.LinkedHashMap;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;

/** A dead-letter queue of SQS with the queue that its letters came from. */
public final class SqsRedrives extends SqsDeadLetters implements RedrivableQueue {

    private final SqsClient sqs;
    private final SqsQueues queues;
    private final String source;

    public SqsRedrives(SqsClient sqs, SqsQueues queues, String name, String source) {
        super(sqs, queues, name);
        this.sqs = sqs;
        this.queues = queues;
        this.source = source;
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public void resend(DeadLetter letter) {
        send(letter.body(), attributes(letter));
    }

    @Override
    public void sendInstead(DeadLetter letter, String body) {
        Map<String, String> attributes = attributes(letter);
        attributes.put(SqsAttributes.REPLACES, letter.originalId() == null ? letter.id() : letter.originalId());
        send(body, attributes);
    }

    private static Map<String, String> attributes(DeadLetter letter) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put(SqsAttributes.REDRIVES, Integer.toString(letter.redrives() + 1));
        if (letter.traceparent() != null) {
            attributes.put(SqsAttributes.TRACEPARENT, letter.traceparent());
        }
        return attributes;
    }

    private void send(String body, Map<String, String> attributes) {
        asked(
                "redriven to " + source,
                () -> sqs.sendMessage(
                        request -> request.queueUrl(queues.named(source).url())
                                .messageBody(body)
                                .messageAttributes(SqsAttributes.of(attributes))));
    }

    @Override
    public void delete(DeadLetter letter) {
        asked(
                "deleted from",
                () -> sqs.deleteMessage(request -> request.queueUrl(url()).receiptHandle(letter.receipt())));
    }
}
