package com.finedge.once.camel;

import com.finedge.once.adapter.postgres.PostgresWakeUps;
import com.finedge.once.outbox.Relay;
import java.time.Duration;
import org.apache.camel.CamelContext;
import org.apache.camel.spring.boot.CamelContextConfiguration;
import org.springframework.context.SmartLifecycle;

/**
 * Starts listening for commits after Camel, and stops the relays before it: what a relay has sent must still be marked,
 * or every deploy would send it twice.
 */
public final class OutboxStop implements SmartLifecycle, CamelContextConfiguration {

    private final PostgresWakeUps wakeUps;
    private final Relay relay;
    private final Duration grace;
    private volatile boolean running;

    /** @param grace how long running rounds may take to end */
    public OutboxStop(PostgresWakeUps wakeUps, Relay relay, Duration grace) {
        this.wakeUps = wakeUps;
        this.relay = relay;
        this.grace = grace;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void beforeApplicationStart(CamelContext camel) {}

    /** Not earlier: there would be no relay yet to wake. */
    @Override
    public void afterApplicationStart(CamelContext camel) {
        wakeUps.start();
    }

    @Override
    public void stop() {
        running = false;
        wakeUps.close();
        try {
            relay.stop(grace);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
