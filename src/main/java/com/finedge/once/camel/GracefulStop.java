package com.finedge.once.camel;

import com.finedge.once.adapter.sqs.SqsMessages;
import com.finedge.once.claim.Heartbeat;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The stop of the process, before Camel's own: Camel would drop what a running poll brings, and interrupt what it has
 * waited for in vain.
 *
 * <ol>
 *   <li>No poll begins any more. What was received and not started is made visible at once, also what a running poll
 *       still brings.
 *   <li>Started work has the grace to finish; what doesn't is left to its lease.
 *   <li>Pending deletes are flushed.
 *   <li>The heartbeat stops last.
 * </ol>
 */
public final class GracefulStop implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(GracefulStop.class);

    private final InFlightMessages inFlight;
    private final SqsMessages messages;
    private final Heartbeat heartbeat;
    private final Duration grace;
    private final AtomicBoolean running = new AtomicBoolean();

    /** @param grace how long started work may take to finish */
    public GracefulStop(InFlightMessages inFlight, SqsMessages messages, Heartbeat heartbeat, Duration grace) {
        this.inFlight = inFlight;
        this.messages = messages;
        this.heartbeat = heartbeat;
        this.grace = grace;
    }

    @Override
    public void start() {
        running.set(true);
        heartbeat.start();
    }

    @Override
    public void stop() {
        if (!running.getAndSet(false)) {
            return;
        }
        int started = inFlight.working();
        inFlight.stop();
        try {
            inFlight.awaitIdle(grace);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int returned = heartbeat.returnUnstarted() + inFlight.refused();
        int left = inFlight.working();
        messages.flush();
        heartbeat.close();
        log.info(
                "Stopped: {} messages drained, {} returned to the queue, {} left to their lease",
                Math.max(0, started - left),
                returned,
                left);
    }

    @Override
    public boolean isRunning() {
        return running.get();
    }

    /** Stops before everything else, Camel and the web server included. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
