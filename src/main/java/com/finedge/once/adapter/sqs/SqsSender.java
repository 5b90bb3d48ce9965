package com.finedge.once.adapter.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.finedge.once.outbox.LeasedMessage;
import com.finedge.once.outbox.MessageSender;
import com.finedge.once.outbox.OutboxMessage;
import com.finedge.once.outbox.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * Sends messages in batches of ten and of as many bytes as SQS allows, all at once, each batch on a virtual thread.
 *
 * <p>A batch can fail in part under a successful answer: every entry has its own result, and one that the answer doesn't
 * mention counts as unreached. A batch that is refused as a whole is sent again message by message, so that one bad
 * message is no trouble to its neighbours.
 */
public final class SqsSender implements MessageSender {

    /** The most bytes of a message and of a batch: what every queue takes, whatever more its region allows. */
    public static final int MOST_BYTES = 262_144;

    private static final int MOST_ENTRIES = 10;

    /** What SQS says of a message that no later try will make it take. */
    private static final Set<String> IMPOSSIBLE =
            Set.of("InvalidMessageContents", "BatchRequestTooLong", "InvalidParameterValue", "InvalidAttributeValue");

    private static final Executor CALLS = Thread.ofVirtual().name("sqs-send-", 0)::start;

    private final SqsClient sqs;
    private final SqsQueues queues;
    private final Duration callTimeout;

    /** @param callTimeout how long a call may take with all its retries */
    public SqsSender(SqsClient sqs, SqsQueues queues, Duration callTimeout) {
        this.sqs = sqs;
        this.queues = queues;
        this.callTimeout = callTimeout;
    }

    @Override
    public Map<Long, SendResult> send(List<LeasedMessage> messages) {
        Map<Long, SendResult> results = new HashMap<>();
        Map<String, List<LeasedMessage>> sendable = new LinkedHashMap<>();
        for (LeasedMessage message : messages) {
            if (bytes(message.message()) > MOST_BYTES) {
                results.put(
                        message.row(),
                        new SendResult.Impossible("longer than the %d bytes that SQS takes".formatted(MOST_BYTES)));
            } else {
                sendable.computeIfAbsent(message.message().queue(), queue -> new ArrayList<>())
                        .add(message);
            }
        }
        List<CompletableFuture<Map<Long, SendResult>>> calls = sendable.entrySet().stream()
                .flatMap(ofQueue -> batches(ofQueue.getValue()).stream()
                        .map(batch -> CompletableFuture.supplyAsync(() -> sent(ofQueue.getKey(), batch), CALLS)))
                .toList();
        calls.forEach(call -> results.putAll(call.join()));
        return results;
    }

    /** In the order they came, each batch as full as can be. */
    static List<List<LeasedMessage>> batches(List<LeasedMessage> messages) {
        List<List<LeasedMessage>> batches = new ArrayList<>();
        List<LeasedMessage> batch = new ArrayList<>();
        int total = 0;
        for (LeasedMessage message : messages) {
            int bytes = bytes(message.message());
            if (batch.size() == MOST_ENTRIES || total + bytes > MOST_BYTES) {
                batches.add(batch);
                batch = new ArrayList<>();
                total = 0;
            }
            batch.add(message);
            total += bytes;
        }
        if (!batch.isEmpty()) {
            batches.add(batch);
        }
        return batches;
    }

    /** As SQS counts: the body, and of each attribute its name, type and value. */
    static int bytes(OutboxMessage message) {
        int bytes = utf8(message.body());
        for (Map.Entry<String, String> attribute : attributes(message).entrySet()) {
            bytes += utf8(attribute.getKey()) + SqsAttributes.TYPE.length() + utf8(attribute.getValue());
        }
        return bytes;
    }

    private static int utf8(String text) {
        return text.getBytes(UTF_8).length;
    }

    private static Map<String, String> attributes(OutboxMessage message) {
        Map<String, String> all = new HashMap<>(message.attributes());
        all.put(OutboxMessage.ID_ATTRIBUTE, message.id());
        return all;
    }

    private Map<Long, SendResult> sent(String queue, List<LeasedMessage> batch) {
        try {
            return results(batch, call(queues.named(queue).url(), batch));
        } catch (SqsException e) {
            boolean refused = e.statusCode() >= 400 && e.statusCode() < 500 && !e.isThrottlingException();
            if (refused && batch.size() > 1) {
                Map<Long, SendResult> oneByOne = new HashMap<>();
                batch.forEach(message -> oneByOne.putAll(sent(queue, List.of(message))));
                return oneByOne;
            }
            return all(batch, refused ? refusal(code(e)) : new SendResult.Unreached(code(e)));
        } catch (SdkException e) {
            // The SDK's own words name the host and the cause, never a body.
            return all(batch, new SendResult.Unreached(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            return all(batch, new SendResult.Unreached(e.getClass().getName()));
        }
    }

    private SendMessageBatchResponse call(String queueUrl, List<LeasedMessage> batch) {
        return sqs.sendMessageBatch(request -> request.queueUrl(queueUrl)
                .overrideConfiguration(call -> call.apiCallTimeout(callTimeout))
                .entries(batch.stream().map(SqsSender::entry).toList()));
    }

    private static SendMessageBatchRequestEntry entry(LeasedMessage message) {
        return SendMessageBatchRequestEntry.builder()
                .id(Long.toString(message.row()))
                .messageBody(message.message().body())
                .messageAttributes(SqsAttributes.of(attributes(message.message())))
                .build();
    }

    private static Map<Long, SendResult> results(List<LeasedMessage> batch, SendMessageBatchResponse answer) {
        Map<Long, SendResult> results = all(batch, new SendResult.Unreached("the answer doesn't mention the message"));
        answer.successful().forEach(entry -> results.replace(row(entry.id()), new SendResult.Sent(entry.messageId())));
        answer.failed().forEach(entry -> results.replace(row(entry.id()), failure(entry.code(), entry.senderFault())));
        return results;
    }

    private static SendResult failure(String code, Boolean sendersFault) {
        return Boolean.TRUE.equals(sendersFault) ? new SendResult.Impossible(code) : refusal(code);
    }

    private static SendResult refusal(String code) {
        return IMPOSSIBLE.contains(code) ? new SendResult.Impossible(code) : new SendResult.Refused(code);
    }

    private static long row(String entryId) {
        return Long.parseLong(entryId);
    }

    private static Map<Long, SendResult> all(List<LeasedMessage> batch, SendResult result) {
        return batch.stream()
                .collect(Collectors.toMap(LeasedMessage::row, message -> result, (a, b) -> a, HashMap::new));
    }

    private static String code(SqsException e) {
        AwsErrorDetails details = e.awsErrorDetails();
        return details == null || details.errorCode() == null ? "HTTP status " + e.statusCode() : details.errorCode();
    }
}
