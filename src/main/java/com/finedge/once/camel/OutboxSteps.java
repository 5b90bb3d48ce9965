package com.finedge.once.camel;

import com.finedge.once.inbox.Inbox;
import com.finedge.once.outbox.OutboxStore;
import com.finedge.once.outbox.Relay;
import java.time.Duration;
import org.apache.camel.ProducerTemplate;

/** The steps of the routes that tend the outbox and the inbox. */
public final class OutboxSteps {

    /** The door of the route {@code relay-outbox}: one waiting call is as good as many. */
    private static final String RELAY = "seda:relay-outbox?size=1&discardWhenFull=true";

    private final Relay relay;
    private final OutboxStore outbox;
    private final Duration outboxRetention;
    private final Inbox inbox;
    private final Duration inboxRetention;
    private final ProducerTemplate routes;

    /**
     * @param outboxRetention how long sent messages are kept
     * @param inboxRetention how long received messages are remembered
     */
    public OutboxSteps(
            Relay relay,
            OutboxStore outbox,
            Duration outboxRetention,
            Inbox inbox,
            Duration inboxRetention,
            ProducerTemplate routes) {
        this.relay = relay;
        this.outbox = outbox;
        this.outboxRetention = outboxRetention;
        this.inbox = inbox;
        this.inboxRetention = inboxRetention;
        this.routes = routes;
    }

    /** Calls an idle relay, if there is one; returns at once. */
    public void wake() {
        routes.sendBody(RELAY, "");
    }

    /** Sends what is due. */
    public void relay() {
        relay.relay(this::wake);
    }

    /** Measures the backlog. */
    public void measure() {
        relay.measure();
    }

    /** Forgets what was sent long ago. */
    public void purgeOutbox() {
        Purge.inBatches(most -> outbox.purge(outboxRetention, most));
    }

    /** Forgets what was received so long ago that it can't come again. */
    public void purgeInbox() {
        Purge.inBatches(most -> inbox.purge(inboxRetention, most));
    }
}
