package com.finedge.once.adapter.sqs;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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

/**
 * Deletes and hides received messages in batches of ten, or of what came together within 50 ms.
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

    private static final Duration LONGEST_VISIBILITY = Duration.ofHours(12);

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
     * @param visibility rounded up to whole seconds; 0 makes the message visible, the most is 12 hours
     */
    public void hide(String queueUrl, String receiptHandle, String messageId, Duration visibility) {
        Duration most = visibility.compareTo(LONGEST_VISIBILITY) < 0 ? visibility : LONGEST_VISIBILITY;
        int seconds = (int) Math.max(0, most.plusMillis(999).toSeconds());
        track(
                "hide",
                messageId,
                () -> batches.changeMessageVisibility(request ->
                        request.queueUrl(queueUrl).receiptHandle(receiptHandle).visibilityTimeout(seconds)));
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

    /** Waits for what is pending: a delete that isn't flushed brings a handled message back. */
    @Override
    public void close() {
        try {
            CompletableFuture.allOf(pending.values().toArray(CompletableFuture[]::new))
                    .get(flushTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.warn("{} deletes or visibility changes weren't confirmed before the stop", pending.size());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        batches.close();
    }
}
