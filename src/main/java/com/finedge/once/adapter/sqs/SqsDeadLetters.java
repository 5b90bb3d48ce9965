package com.finedge.once.adapter.sqs;

import com.finedge.once.deadletter.DeadLetter;
import com.finedge.once.deadletter.DeadLetterQueue;
import com.finedge.once.deadletter.DeadLetterQueueException;
import com.finedge.once.deadletter.Depth;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** A dead-letter queue of SQS. */
public class SqsDeadLetters implements DeadLetterQueue {

    private static final Logger log = LoggerFactory.getLogger(SqsDeadLetters.class);

    /** Long polling asks all servers of a queue: a short poll may find none although there are some. */
    private static final int WAIT_SECONDS = 1;

    private static final int A_BATCH = 10;
    private static final int LONGEST_REASON = 256;
    private static final int MOST_REDRIVES = 1_000;

    private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,4}");
    private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

    private final SqsClient sqs;
    private final SqsQueues queues;
    private final String name;

    public SqsDeadLetters(SqsClient sqs, SqsQueues queues, String name) {
        this.sqs = sqs;
        this.queues = queues;
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Depth depth() {
        Map<QueueAttributeName, String> counts = asked(
                "asked for its messages",
                () -> sqs.getQueueAttributes(request -> request.queueUrl(url())
                                .attributeNames(
                                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
                        .attributes());
        return new Depth(
                Long.parseLong(counts.getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0")),
                Long.parseLong(
                        counts.getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE, "0")));
    }

    @Override
    public List<DeadLetter> receive(int most, Duration hidden) {
        return asked(
                "received from",
                () -> sqs
                        .receiveMessage(request -> request.queueUrl(url())
                                .maxNumberOfMessages(most)
                                .visibilityTimeout(Math.toIntExact(hidden.toSeconds()))
                                .waitTimeSeconds(WAIT_SECONDS)
                                .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP)
                                .messageAttributeNames("All")
                                .overrideConfiguration(
                                        call -> call.putExecutionAttribute(ReceivedMessages.ONLY_LOOKED_AT, true)))
                        .messages()
                        .stream()
                        .map(SqsDeadLetters::letter)
                        .toList());
    }

    @Override
    public void handBack(List<DeadLetter> letters) {
        for (int from = 0; from < letters.size(); from += A_BATCH) {
            List<DeadLetter> batch = letters.subList(from, Math.min(from + A_BATCH, letters.size()));
            List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>();
            for (int i = 0; i < batch.size(); i++) {
                entries.add(ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .receiptHandle(batch.get(i).receipt())
                        .visibilityTimeout(0)
                        .build());
            }
            try {
                // An entry that fails is deleted, visible already, or comes back in a moment by itself.
                sqs.changeMessageVisibilityBatch(
                        request -> request.queueUrl(url()).entries(entries));
            } catch (SdkException e) {
                log.warn("{} letters of {} come back when their time is over: {}", batch.size(), name, e.toString());
            }
        }
    }

    /** Where the queue is. */
    final String url() {
        return queues.named(name).url();
    }

    /** @param what what the queue can't be, if it can't */
    final <T> T asked(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (SdkException e) {
            throw new DeadLetterQueueException("The queue " + name + " can't be " + what + ": " + e.getMessage(), e);
        }
    }

    private static DeadLetter letter(Message message) {
        Map<String, MessageAttributeValue> attributes = message.messageAttributes();
        String code = matching(text(attributes, SqsAttributes.CODE), CODE);
        String count = matching(text(attributes, SqsAttributes.REDRIVES), COUNT);
        String sent = message.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP);
        return new DeadLetter(
                message.messageId(),
                message.receiptHandle(),
                message.body(),
                code == null ? DeadLetter.NO_CODE : code,
                printable(text(attributes, SqsAttributes.REASON)),
                matching(text(attributes, SqsAttributes.ORIGINAL_MESSAGE_ID), ID),
                matching(text(attributes, SqsAttributes.TRACEPARENT), TRACEPARENT),
                count == null ? 0 : Math.min(Integer.parseInt(count), MOST_REDRIVES),
                sent == null ? Instant.EPOCH : Instant.ofEpochMilli(Long.parseLong(sent)),
                time(text(attributes, SqsAttributes.FAILED_AT)));
    }

    private static @Nullable String text(Map<String, MessageAttributeValue> attributes, String name) {
        MessageAttributeValue value = attributes.get(name);
        return value == null ? null : value.stringValue();
    }

    private static @Nullable String matching(@Nullable String text, Pattern form) {
        return text != null && form.matcher(text).matches() ? text : null;
    }

    private static @Nullable String printable(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String some = text.substring(0, Math.min(text.length(), LONGEST_REASON));
        return UNPRINTABLE.matcher(some).replaceAll("?").strip();
    }

    private static @Nullable Instant time(@Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException e) {
            return null;
        }
    }
}
