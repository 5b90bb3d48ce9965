package com.finedge.once.camel;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.StatefulService;
import org.apache.camel.SuspendableService;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;
import org.apache.camel.spi.PollingConsumerPollStrategy;

/**
 * Bounds how many messages are in flight, and runs each on a virtual thread of its own.
 *
 * <p>As a poll strategy it takes a permit for every message that a poll may bring before it polls, so that nothing is
 * received that can't be started: a message that waits here runs out its visibility. As the executor of the route's
 * {@code threads} step it hands each message on at once, so that a slow one holds up neither its batch nor the poller.
 */
public final class InFlightMessages extends AbstractExecutorService implements PollingConsumerPollStrategy {

    private final Semaphore permits;
    private final ExecutorService threads;

    /** What this poll thread has taken for the poll it is in, less what it has handed on. */
    private final ThreadLocal<Integer> reserved = ThreadLocal.withInitial(() -> 0);

    /** @param most how many messages may be in flight, at least one poll's worth */
    public InFlightMessages(int most) {
        this.permits = new Semaphore(most);
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("message-", 0).factory());
    }

    /** How many more messages could be started now. */
    public int free() {
        return permits.availablePermits();
    }

    @Override
    public boolean begin(Consumer consumer, Endpoint endpoint) {
        int aPoll = endpoint instanceof Sqs2Endpoint sqs ? Math.max(1, sqs.getMaxMessagesPerPoll()) : 1;
        try {
            permits.acquire(aPoll);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        reserved.set(aPoll);
        if (stopping(consumer)) {
            // The wait for permits may have outlasted the route: what is received now would only be dropped.
            giveBack();
            return false;
        }
        return true;
    }

    private static boolean stopping(Consumer consumer) {
        return (consumer instanceof StatefulService service && !service.isRunAllowed())
                || (consumer instanceof SuspendableService suspendable && suspendable.isSuspended());
    }

    @Override
    public void commit(Consumer consumer, Endpoint endpoint, int polledMessages) {
        giveBack();
    }

    @Override
    public boolean rollback(Consumer consumer, Endpoint endpoint, int retryCounter, Exception cause) {
        giveBack();
        return false;
    }

    private void giveBack() {
        permits.release(reserved.get());
        reserved.remove();
    }

    @Override
    public void execute(Runnable message) {
        int left = reserved.get();
        if (left == 0) {
            throw new IllegalStateException(
                    "no poll has reserved room for this message: set pollStrategy on the endpoint it comes from");
        }
        threads.execute(() -> {
            try {
                message.run();
            } finally {
                permits.release();
            }
        });
        reserved.set(left - 1);
    }

    @Override
    public void shutdown() {
        threads.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return threads.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return threads.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return threads.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return threads.awaitTermination(timeout, unit);
    }
}
