package com.finedge.once.console;

import com.finedge.once.audit.Operator;
import com.finedge.once.outbox.OutboxBacklog;
import com.finedge.once.outbox.OutboxStore;
import com.finedge.once.outbox.ParkedMessage;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** The outbox on the management port: what waits to be sent, and what waits to be released. */
@Endpoint(id = "outbox")
public final class OutboxEndpoint {

    private static final int MOST_PARKED = 200;

    private final OutboxStore outbox;
    private final OperatorActions actions;

    public OutboxEndpoint(OutboxStore outbox, OperatorActions actions) {
        this.outbox = outbox;
        this.actions = actions;
    }

    /** What is still to be sent, with the messages that are parked, the oldest first. */
    public record State(OutboxBacklog backlog, List<ParkedMessage> parked) {}

    /** What is still to be sent. */
    @ReadOperation
    public State state() {
        return new State(outbox.backlog(), outbox.parked(MOST_PARKED));
    }

    /**
     * Makes a parked message due again, in the name of who has logged in.
     *
     * @param reason why
     */
    @WriteOperation
    public WebEndpointResponse<Map<String, String>> release(SecurityContext who, @Selector String id, String reason) {
        try {
            return new WebEndpointResponse<>(
                    actions.release(outbox, id, new Operator(who.getPrincipal().getName(), reason))
                            ? WebEndpointResponse.STATUS_NO_CONTENT
                            : WebEndpointResponse.STATUS_NOT_FOUND);
        } catch (IllegalArgumentException e) {
            return new WebEndpointResponse<>(
                    Map.of("refused", String.valueOf(e.getMessage())), WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }
}
