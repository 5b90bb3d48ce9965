package com.finedge.once.adapter.sqs;

import com.finedge.once.claim.HeldMessage;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.batchmanager.SqsAsyncBatchManager;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * Deletes and hides received messages, and sends new ones, in batches of ten or of what came together within 50 ms.
 *
 * <p>A batch can fail in part under a successful answer, so every entry is looked at by itself: it is tried three
 * times, and then left to its redelivery, which finds the claim DONE and deletes again.
 */
public final class SqsMessages implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SqsMessages.class);

    private static final int TRIES = 3;
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** An entry that the answer to its batch doesn't mention would otherwise be waited for without end. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10);

    /** SQS counts its 12 hours from the receipt, which lies up to a hold ago. */
    private static final Duration LONGEST_VISIBILITY = Duration.ofHours(11);

    /** What SQS says of a receipt that is no longer good: the message is visible again, or gone. */
    private static final Set<String> NOT_OURS = Set.of(
            "MessageNotInflight",
            "AWS.SimpleQueueService.MessageNotInflight",
            "ReceiptHandleIsInvalid",
            "InvalidParameterValue");

    private final SqsAsyncBatchManager batches;
    private final Duration flushTimeout;
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentMap<Long, CompletableFuture<Void>> pending = new ConcurrentHashMap<>();

    /** @param flushTimeout how long {@link #close()} waits for what is pending */
    public SqsMessages(SqsAsyncClient sqs, Duration flushTimeout) {
        this.batches = SqsAsyncBatchManager.builder()
                .client(sqs)
                .scheduledExecutor(Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("sqs-batches").factory()))
                .overrideConfiguration(batch -> batch.maxBatchSize(10).sendRequestFrequency(Duration.ofMillis(50)))
                .build();
        this.flushTimeout = flushTimeout;
    }

    /** Deletes the message soon; returns at once. */
    public void delete(String queueUrl, String receiptHandle, String messageId) {
        track(
                "delete",
                messageId,
                () -> batches.deleteMessage(
                        request -> request.queueUrl(queueUrl).receiptHandle(receiptHandle)));
    }

    /**
     * Hides the message from now on for the given time, soon; returns at once.
     *
     * @param visibility rounded up to whole seconds; 0 makes the message visible, the most is 11 hours
     */
    public void hide(String queueUrl, String receiptHandle, String messageId, Duration visibility) {
        track("hide", messageId, () -> hidden(queueUrl, receiptHandle, visibility));
    }

    /**
     * Sends a message, in a batch with what others send at the same time.
     *
     * @return ends when the queue has it, or with why it hasn't after three tries
     */
    public CompletableFuture<Void> send(String queueUrl, String body, Map<String, String> attributes) {
        return tried(
                () -> batches.sendMessage(request -> request.queueUrl(queueUrl)
                                .messageBody(body)
                                .messageAttributes(SqsAttributes.of(attributes)))
                        .thenAccept(answer -> {}),
                1);
    }

    /** The message as something to hold: a heartbeat hides it again and again. */
    public HeldMessage held(String queueUrl, String receiptHandle, String messageId) {
        return new Held(queueUrl, receiptHandle, messageId);
    }

    private CompletableFuture<?> hidden(String queueUrl, String receiptHandle, Duration visibility) {
        Duration most = visibility.compareTo(LONGEST_VISIBILITY) < 0 ? visibility : LONGEST_VISIBILITY;
        int seconds = (int) Math.max(0, most.plusMillis(999).toSeconds());
        return batches.changeMessageVisibility(request ->
                request.queueUrl(queueUrl).receiptHandle(receiptHandle).visibilityTimeout(seconds));
    }

    /** How many deletes and visibility changes are on their way. */
    public int pending() {
        return pending.size();
    }

    private void track(String what, String messageId, Supplier<CompletableFuture<?>> call) {
        long number = numbers.incrementAndGet();
        CompletableFuture<Void> done = tried(() -> call.get().thenAccept(answer -> {}), 1)
                .exceptionally(failure -> {
                    log.warn("message {}: {} failed, left to its redelivery: {}", messageId, what, failure.toString());
                    return null;
                });
        pending.put(number, done);
        // After the put: a call that has already ended would otherwise stay pending for ever.
        var unused = done.whenComplete((answer, failure) -> pending.remove(number));
    }

    private static CompletableFuture<Void> tried(Supplier<CompletableFuture<Void>> call, int attempt) {
        CompletableFuture<Void> answer = call.get().orTimeout(LONGEST_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        if (attempt == TRIES) {
            return answer;
        }
        Executor later = CompletableFuture.delayedExecutor(
                PAUSE.toMillis() * attempt, TimeUnit.MILLISECONDS, Thread::startVirtualThread);
        return answer.exceptionallyComposeAsync(failure -> tried(call, attempt + 1), later);
    }

    /**
     * Waits for what is pending, for as long as the flush time-out: a delete that isn't flushed brings a handled
     * message back.
     */
    public void flush() {
        try {
            CompletableFuture.allOf(pending.values().toArray(CompletableFuture[]::new))
                    .get(flushTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.warn("{} deletes or visibility changes weren't confirmed before the stop", pending.size());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        flush();
        batches.close();
    }

    /** Says of one message whether it could be hidden. */
    private final class Held implements HeldMessage {

        private final String queueUrl;
        private final String receiptHandle;
        private final String messageId;

        private Held(String queueUrl, String receiptHandle, String messageId) {
            this.queueUrl = queueUrl;
            this.receiptHandle = receiptHandle;
            this.messageId = messageId;
        }

        @Override
        public CompletableFuture<Boolean> hide(Duration visibility) {
            return tried(() -> hidden(queueUrl, receiptHandle, visibility).thenAccept(answer -> {}), 1)
                    .thenApply(answer -> true)
                    .exceptionallyCompose(Held::notOurs);
        }

        private static CompletableFuture<Boolean> notOurs(Throwable failure) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            return cause instanceof SqsException refused && NOT_OURS.contains(code(refused))
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(cause);
        }

        private static String code(SqsException refused) {
            return refused.awsErrorDetails() == null
                    ? ""
                    : String.valueOf(refused.awsErrorDetails().errorCode());
        }

        @Override
        public String toString() {
            return "message " + messageId;
        }
    }
}
