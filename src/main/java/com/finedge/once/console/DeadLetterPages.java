package com.finedge.once.console;

import com.finedge.once.audit.Operator;
import com.finedge.once.console.Pages.Said;
import com.finedge.once.deadletter.Correction;
import com.finedge.once.deadletter.DeadLetters;
import com.finedge.once.deadletter.LetterFilter;
import com.finedge.once.deadletter.LetterView;
import com.finedge.once.deadletter.Look;
import com.finedge.once.deadletter.RedriveOrder;
import com.finedge.once.deadletter.RedriveProgress;
import com.finedge.once.deadletter.Redrives;
import com.finedge.once.deadletter.ReplaceResult;
import com.finedge.once.deadletter.StartResult;
import com.finedge.once.deadletter.Terms;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Dead letters, what a redrive would do with each, and redrives from the question to the result. */
public final class DeadLetterPages implements ManagementRoutes {

    private static final String LIST = "/console/dead-letters";
    private static final String REPLACE = LIST + "/{id}/replace";
    private static final String START = "/console/redrive";
    private static final String ONE = "/console/redrives/{id}";
    private static final String NOW = ONE + "/now";
    private static final String EVENTS = ONE + "/events";
    private static final String CANCEL = ONE + "/cancel";

    /** As many as one looks through on a page. */
    private static final int MOST = 200;

    private final Pages pages;
    private final DeadLetters letters;
    private final Redrives redrives;
    private final OperatorActions actions;
    private final RedriveEvents events;

    public DeadLetterPages(
            Pages pages, DeadLetters letters, Redrives redrives, OperatorActions actions, InstantSource clock) {
        this.pages = pages;
        this.letters = letters;
        this.redrives = redrives;
        this.actions = actions;
        this.events = new RedriveEvents(redrives, clock);
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return pages.guarded(RouterFunctions.route()
                .GET(LIST, this::list)
                .GET(REPLACE, request -> correction(request, HttpStatus.OK, null))
                .POST(REPLACE, this::replace)
                .GET(START, request -> ask(request, HttpStatus.OK, null))
                .POST(START, this::start)
                .GET(ONE, request -> progress(request, "redrive"))
                .GET(NOW, request -> progress(request, "redrive :: state"))
                .GET(EVENTS, request -> events.stream(request.pathVariable("id")))
                .POST(CANCEL, this::cancel));
    }

    /**
     * What a form or an address asks for, as it was written.
     *
     * @param rate letters a second
     */
    public record Wish(
            String reason,
            String chargeId,
            String olderThan,
            String youngerThan,
            boolean includeRejected,
            boolean force,
            String rate,
            String why) {

        private static Wish of(ServerRequest request) {
            return new Wish(
                    text(request, "reason"),
                    text(request, "chargeId"),
                    text(request, "olderThan"),
                    text(request, "youngerThan"),
                    request.param("includeRejected").isPresent(),
                    request.param("force").isPresent(),
                    request.param("rate").orElse(Integer.toString(RedriveOrder.DEFAULT_RATE)),
                    text(request, "why"));
        }

        private static Wish of(RedriveOrder order) {
            LetterFilter filter = order.filter();
            return new Wish(
                    String.join(",", filter.codes()),
                    filter.key() == null ? "" : filter.key(),
                    filter.olderThan() == null ? "" : filter.olderThan().toString(),
                    filter.youngerThan() == null ? "" : filter.youngerThan().toString(),
                    order.terms().includeRejected(),
                    order.terms().force(),
                    Integer.toString(order.rate()),
                    order.by().why());
        }

        private static String text(ServerRequest request, String name) {
            return request.param(name).map(String::strip).orElse("");
        }

        /** @throws IllegalArgumentException for what no letter could have */
        private LetterFilter filter() {
            return new LetterFilter(
                    reason.isEmpty() ? Set.of() : Set.of(reason.split(",")),
                    chargeId.isEmpty() ? null : chargeId,
                    duration(olderThan),
                    duration(youngerThan));
        }

        private static @Nullable Duration duration(String text) {
            try {
                return text.isEmpty() ? null : Duration.parse(text);
            } catch (DateTimeException e) {
                throw new IllegalArgumentException("an age must be a duration such as PT2H", e);
            }
        }

        /** @throws IllegalArgumentException for what can't be ordered */
        private RedriveOrder order(String who, boolean dryRun) {
            int letters;
            try {
                letters = Integer.parseInt(rate.strip());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("rate must be from 1 to 1000", e);
            }
            return new RedriveOrder(
                    new Operator(who, why),
                    filter(),
                    new Terms(includeRejected, force),
                    dryRun,
                    RedriveOrder.DEFAULT_BATCH,
                    letters,
                    RedriveOrder.DEFAULT_IN_FLIGHT);
        }
    }

    /** Letters of one reason. */
    public record Group(String reason, List<LetterView> letters) {}

    private ServerResponse list(ServerRequest request) {
        Wish wish = Wish.of(request);
        Map<String, Object> model = new HashMap<>(Map.of("wish", wish));
        LetterFilter filter;
        HttpStatus status = HttpStatus.OK;
        try {
            filter = wish.filter();
        } catch (IllegalArgumentException e) {
            model.put("refused", String.valueOf(e.getMessage()));
            status = HttpStatus.BAD_REQUEST;
            filter = LetterFilter.ALL;
        }
        Look look = letters.look(filter, Terms.ORDINARY, DeadLetters.MOST_LOOKED_AT);
        model.put("look", look);
        model.put(
                "groups",
                look.letters().stream()
                        .limit(MOST)
                        .collect(Collectors.groupingBy(LetterView::code, TreeMap::new, Collectors.toList()))
                        .entrySet()
                        .stream()
                        .map(group -> new Group(group.getKey(), group.getValue()))
                        .toList());
        model.put("more", look.letters().size() > MOST);
        model.put("running", running().orElse(null));
        return pages.page(request, status, "dead-letters", model);
    }

    private Optional<RedriveProgress> running() {
        return redrives.latest().stream().filter(run -> !run.isOver()).findFirst();
    }

    private ServerResponse ask(ServerRequest request, HttpStatus status, @Nullable String refused) {
        Map<String, Object> model = new HashMap<>(Map.of("wish", Wish.of(request)));
        if (refused != null) {
            model.put("refused", refused);
        }
        return pages.page(request, status, "redrive-ask", model);
    }

    private ServerResponse start(ServerRequest request) {
        boolean dryRun = !request.param("inEarnest").map("true"::equals).orElse(false);
        try {
            RedriveOrder order = Wish.of(request).order(Pages.who(request), dryRun);
            return switch (redrives.start(order)) {
                case StartResult.Started(RedriveProgress progress) -> to(request, progress.id());
                case StartResult.Busy(RedriveProgress running) ->
                    ask(
                            request,
                            HttpStatus.CONFLICT,
                            "A redrive by %s is running: wait for its end, or cancel it."
                                    .formatted(running.order().by().who()));
            };
        } catch (IllegalArgumentException e) {
            return ask(request, HttpStatus.BAD_REQUEST, e.getMessage());
        }
    }

    private static ServerResponse to(ServerRequest request, String redrive) {
        return ServerResponse.seeOther(
                        URI.create(request.servletRequest().getContextPath() + ONE.replace("{id}", redrive)))
                .build();
    }

    private ServerResponse progress(ServerRequest request, String template) {
        return redrives.find(request.pathVariable("id"))
                .map(run -> pages.page(request, template, Map.of("run", run, "wish", Wish.of(run.order()))))
                .orElseGet(() -> none(request));
    }

    private ServerResponse none(ServerRequest request) {
        return pages.notFound(
                request,
                "This process knows no such redrive: it remembers its latest only, and another process its own. "
                        + "What was done is in the audit log.");
    }

    private ServerResponse cancel(ServerRequest request) {
        return actions.cancel(redrives, request.pathVariable("id"), Pages.who(request))
                .map(run -> to(request, run.id()))
                .orElseGet(() -> none(request));
    }

    private ServerResponse correction(ServerRequest request, HttpStatus status, @Nullable String refused) {
        Map<String, Object> model = new HashMap<>();
        model.put("id", request.pathVariable("id"));
        model.put("body", request.param("body").orElse(""));
        model.put("why", request.param("reason").orElse(""));
        if (refused != null) {
            model.put("refused", refused);
        }
        return pages.page(request, status, "replace", model);
    }

    private ServerResponse replace(ServerRequest request) {
        try {
            Correction correction = new Correction(
                    Pages.operator(request), request.param("body").orElse(""));
            return switch (letters.replace(request.pathVariable("id"), correction)) {
                case ReplaceResult.Sent sent -> Pages.seeOther(request, LIST, Said.REPLACED);
                case ReplaceResult.NotFound none ->
                    correction(
                            request,
                            HttpStatus.NOT_FOUND,
                            "There is no such letter now: it was redriven or deleted, or somebody is looking at it.");
                case ReplaceResult.NotInvalid valid ->
                    correction(
                            request,
                            HttpStatus.CONFLICT,
                            "It is a valid message as it is: redrive it, and its claim says what is to become of it.");
                case ReplaceResult.StillInvalid(var reading) ->
                    correction(request, HttpStatus.BAD_REQUEST, "That is no valid message either: " + reading.rule());
            };
        } catch (IllegalArgumentException e) {
            return correction(request, HttpStatus.BAD_REQUEST, e.getMessage());
        }
    }
}
