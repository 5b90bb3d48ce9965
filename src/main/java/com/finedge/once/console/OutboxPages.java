package com.finedge.once.console;

import com.finedge.once.console.Pages.Said;
import com.finedge.once.outbox.OutboxStore;
import com.finedge.once.outbox.ParkedMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** What waits to be sent, and what waits to be released. */
public final class OutboxPages implements ManagementRoutes {

    private static final String LIST = "/console/outbox";
    private static final String ONE = LIST + "/{id}";

    private static final int MOST = 200;

    private final Pages pages;
    private final OutboxStore outbox;
    private final OperatorActions actions;

    public OutboxPages(Pages pages, OutboxStore outbox, OperatorActions actions) {
        this.pages = pages;
        this.outbox = outbox;
        this.actions = actions;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return pages.guarded(RouterFunctions.route()
                .GET(LIST, this::list)
                .GET(ONE, this::ask)
                .POST(ONE, this::release));
    }

    private ServerResponse list(ServerRequest request) {
        List<ParkedMessage> parked = outbox.parked(MOST);
        return pages.page(
                request,
                "outbox",
                Map.of("backlog", outbox.backlog(), "parked", parked, "more", parked.size() == MOST));
    }

    private ServerResponse ask(ServerRequest request) {
        return find(request)
                .map(message -> asked(request, HttpStatus.OK, message, null))
                .orElseGet(() -> pages.notFound(request, "No message of this id is parked: it was released, or sent."));
    }

    private ServerResponse asked(
            ServerRequest request, HttpStatus status, ParkedMessage message, @Nullable String refused) {
        Map<String, Object> model = new HashMap<>(Map.of("message", message));
        if (refused != null) {
            model.put("refused", refused);
        }
        return pages.page(request, status, "outbox-release", model);
    }

    private ServerResponse release(ServerRequest request) {
        Optional<ParkedMessage> message = find(request);
        if (message.isEmpty()) {
            return Pages.seeOther(request, LIST, Said.NOT_PARKED);
        }
        try {
            boolean released = actions.release(outbox, message.get().id(), Pages.operator(request));
            return Pages.seeOther(request, LIST, released ? Said.RELEASED : Said.NOT_PARKED);
        } catch (IllegalArgumentException e) {
            return asked(request, HttpStatus.BAD_REQUEST, message.get(), e.getMessage());
        }
    }

    private Optional<ParkedMessage> find(ServerRequest request) {
        String id = request.pathVariable("id");
        return outbox.parked(MOST).stream()
                .filter(message -> message.id().equals(id))
                .findFirst();
    }
}
