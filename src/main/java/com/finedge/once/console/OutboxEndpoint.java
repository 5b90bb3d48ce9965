package com.finedge.once.console;

import com.finedge.once.outbox.OutboxBacklog;
import com.finedge.once.outbox.OutboxStore;
import com.finedge.once.outbox.ParkedMessage;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The outbox on the management port, where nothing but health is open unless {@code
 * management.endpoints.web.exposure.include} says so: what waits to be sent, and what waits to be released.
 */
@Endpoint(id = "outbox")
public final class OutboxEndpoint {

    private static final Logger log = LoggerFactory.getLogger(OutboxEndpoint.class);

    private static final int MOST_PARKED = 200;

    private final OutboxStore outbox;

    public OutboxEndpoint(OutboxStore outbox) {
        this.outbox = outbox;
    }

    /** What is still to be sent, with the messages that are parked, the oldest first. */
    public record State(OutboxBacklog backlog, List<ParkedMessage> parked) {}

    /** What is still to be sent. */
    @ReadOperation
    public State state() {
        return new State(outbox.backlog(), outbox.parked(MOST_PARKED));
    }

    /**
     * Makes a parked message due again.
     *
     * @param by who
     */
    @WriteOperation
    public WebEndpointResponse<Void> release(@Selector String id, String by) {
        if (!outbox.release(id)) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        log.info("message {} was released by {}", id, by.replaceAll("\\p{Cntrl}", "?"));
        return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
    }
}
