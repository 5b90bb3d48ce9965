package com.finedge.once.camel;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

    private final int most;
    private final Semaphore permits;
    private final BackEnds backEnds;
    private final ExecutorService threads;
    private final AtomicInteger working = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean stopping;

    /** What this poll thread has taken for the poll it is in, less what it has handed on. */
    private final ThreadLocal<Integer> reserved = ThreadLocal.withInitial(() -> 0);

    /**
     * Lets that many work at once.
     *
     * @param most how many messages may be in flight, at least one poll's worth
     * @param backEnds asked before every poll
     */
    public InFlightMessages(int most, BackEnds backEnds) {
        this.most = most;
        this.permits = new Semaphore(most);
        this.backEnds = backEnds;
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("message-", 0).factory());
    }

    /** How many more messages could be started now. */
    public int free() {
        return permits.availablePermits();
    }

    /** How many messages are being worked on. */
    public int working() {
        return working.get();
    }

    /** How many messages were refused because the process stops. */
    public int refused() {
        return refused.get();
    }

    @Override
    public boolean begin(Consumer consumer, Endpoint endpoint) {
        // A poll that an Error ended was neither committed nor rolled back.
        giveBack();
        BackEnds.State state = backEnds.state();
        if (stopping || state == BackEnds.State.DOWN) {
            return false;
        }
        int aPoll = endpoint instanceof Sqs2Endpoint sqs ? Math.max(1, sqs.getMaxMessagesPerPoll()) : 1;
        // To probe is to take all the room: one poll, and nothing beside it until its messages have ended.
        int room = state == BackEnds.State.PROBING ? most : aPoll;
        try {
            permits.acquire(room);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        reserved.set(room);
        // The wait may have outlasted the route, or the back ends: what is received now would only be dropped.
        if (stopping || stopped(consumer) || backEnds.state() == BackEnds.State.DOWN) {
            giveBack();
            return false;
        }
        return true;
    }

    private static boolean stopped(Consumer consumer) {
        return (consumer instanceof StatefulService service && !service.isRunAllowed())
                || (consumer instanceof SuspendableService suspendable && suspendable.isSuspended());
    }

    /** Lets no poll begin any more; what a running one still brings is refused. */
    public void stop() {
        stopping = true;
    }

    /**
     * Waits until no poll runs and no message is worked on.
     *
     * @return whether that came about in time
     */
    public boolean awaitIdle(Duration longest) throws InterruptedException {
        if (!permits.tryAcquire(most, longest.toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
        }
        permits.release(most);
        return true;
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
        if (stopping) {
            refused.incrementAndGet();
            throw new RejectedExecutionException("the process stops");
        }
        int left = reserved.get();
        if (left == 0) {
            throw new IllegalStateException(
                    "no poll has reserved room for this message: set pollStrategy on the endpoint it comes from");
        }
        threads.execute(() -> {
            working.incrementAndGet();
            try {
                message.run();
            } finally {
                working.decrementAndGet();
                permits.release();
            }
        });
        reserved.set(left - 1);
    }

    /** Doesn't wait, as the inherited one does for a day: a stop has waited before. */
    @Override
    public void close() {
        threads.shutdown();
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
