package com.finedge.once.console;

import com.finedge.once.console.Pages.Said;
import com.finedge.once.saga.Disposition;
import com.finedge.once.saga.SagaStore.Dossier;
import com.finedge.once.saga.SagaStore.Stuck;
import com.finedge.once.saga.Sagas;
import com.finedge.once.saga.UndoStatus;
import java.net.URI;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The sagas that don't get on, each with its history and what can be done about it. */
public final class SagaPages implements ManagementRoutes {

    private static final String LIST = "/console/sagas";
    private static final String ONE = LIST + "/{id}";
    private static final String VERB = ONE + "/{verb}";

    private static final int MOST = 200;

    private final Pages pages;
    private final Sagas sagas;
    private final Function<String, Optional<UUID>> byKey;
    private final OperatorActions actions;
    private final InstantSource clock;

    /** @param byKey finds the saga of a business key, for instance of an order id */
    public SagaPages(
            Pages pages,
            Sagas sagas,
            Function<String, Optional<UUID>> byKey,
            OperatorActions actions,
            InstantSource clock) {
        this.pages = pages;
        this.sagas = sagas;
        this.byKey = byKey;
        this.actions = actions;
        this.clock = clock;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return pages.guarded(RouterFunctions.route()
                .GET(LIST, this::list)
                .GET(ONE, this::one)
                .GET(VERB, this::ask)
                .POST(VERB, this::act));
    }

    private ServerResponse list(ServerRequest request) {
        String key = request.param("key").map(String::strip).orElse("");
        if (!key.isEmpty()) {
            Optional<UUID> id = uuid(key).filter(known -> sagas.find(known).isPresent());
            Optional<UUID> found = id.isPresent() ? id : byKey.apply(key);
            if (found.isPresent()) {
                return ServerResponse.seeOther(
                                URI.create(request.servletRequest().getContextPath() + LIST + "/" + found.get()))
                        .build();
            }
        }
        List<Stuck> stuck = sagas.stuck(MOST);
        return pages.page(request, "sagas", Map.of("stuck", stuck, "more", stuck.size() == MOST, "key", key));
    }

    private ServerResponse one(ServerRequest request) {
        return find(request)
                .map(dossier -> pages.page(
                        request,
                        "saga",
                        Map.of(
                                "dossier",
                                dossier,
                                "timeline",
                                SagaTimeline.of(dossier, clock.instant()),
                                "verbs",
                                SagaVerb.values())))
                .orElseGet(() -> none(request));
    }

    private ServerResponse none(ServerRequest request) {
        return pages.notFound(request, "There is no saga of this id here.");
    }

    private ServerResponse ask(ServerRequest request) {
        Optional<Dossier> dossier = find(request);
        Optional<SagaVerb> verb = SagaVerb.named(request.pathVariable("verb"));
        return dossier.isEmpty() || verb.isEmpty()
                ? none(request)
                : asked(request, HttpStatus.OK, dossier.get(), verb.get(), null);
    }

    private ServerResponse asked(
            ServerRequest request, HttpStatus status, Dossier dossier, SagaVerb verb, @Nullable String refused) {
        Map<String, Object> model = new HashMap<>();
        model.put("saga", dossier.saga());
        model.put("verb", verb);
        model.put(
                "undoing",
                dossier.saga().steps().stream()
                        .filter(step -> step.undo() == UndoStatus.PENDING)
                        .toList());
        if (refused != null) {
            model.put("refused", refused);
        }
        return pages.page(request, status, "saga-verb", model);
    }

    private ServerResponse act(ServerRequest request) {
        Optional<Dossier> dossier = find(request);
        Optional<SagaVerb> verb = SagaVerb.named(request.pathVariable("verb"));
        if (dossier.isEmpty() || verb.isEmpty()) {
            return none(request);
        }
        UUID id = dossier.get().saga().id();
        try {
            Optional<Disposition> done = actions.operate(
                    sagas,
                    id,
                    verb.get().verb(filled(request, "step"), filled(request, "evidence")),
                    Pages.operator(request));
            boolean applied = done.filter(disposition -> disposition != Disposition.NOT_APPLICABLE)
                    .isPresent();
            return Pages.seeOther(request, ONE, applied ? Said.APPLIED : Said.NOT_APPLICABLE, id);
        } catch (IllegalArgumentException e) {
            return asked(request, HttpStatus.BAD_REQUEST, dossier.get(), verb.get(), e.getMessage());
        }
    }

    private static @Nullable String filled(ServerRequest request, String parameter) {
        return request.param(parameter).filter(text -> !text.isBlank()).orElse(null);
    }

    private Optional<Dossier> find(ServerRequest request) {
        return uuid(request.pathVariable("id")).flatMap(sagas::find);
    }

    static Optional<UUID> uuid(String text) {
        try {
            return Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
