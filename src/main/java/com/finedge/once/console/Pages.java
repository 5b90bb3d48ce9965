package com.finedge.once.console;

import com.finedge.once.audit.Operator;
import java.net.URI;
import java.security.Principal;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.RenderingResponse;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.UriComponentsBuilder;

/** What all pages of the console have: their frame, who looks at them, and how they fail. */
public final class Pages {

    private static final Logger log = LoggerFactory.getLogger(Pages.class);

    /** A part of the console that a process may have. */
    public enum Part {
        DEAD_LETTERS("Dead letters", "/console/dead-letters"),
        OUTBOX("Outbox", "/console/outbox"),
        SAGAS("Sagas", "/console/sagas"),
        AUDIT("Audit log", "/console/audit");

        private final String title;
        private final String path;

        Part(String title, String path) {
            this.title = title;
            this.path = path;
        }

        public String title() {
            return title;
        }

        public String path() {
            return path;
        }
    }

    /** What a page says at its top after something was done; a closed set, since it is named in an address. */
    enum Said {
        RELEASED("Released: it is due again, and the next relay sends it."),
        NOT_PARKED("Nothing was done: there is no parked message of this id any more."),
        APPLIED("Done. What became of it stands in the history below."),
        NOT_APPLICABLE("Nothing was done: that doesn't fit where the saga is now."),
        REOPENED(
                "Reopened: the next message of this charge is tried again. Redrive its dead letter, or send it once more."),
        NOT_REOPENED("Nothing was done: the claim hasn't failed, or doesn't any more."),
        REPLACED("Sent as a new message, with a link to the old one, which is deleted.");

        private final String text;

        Said(String text) {
            this.text = text;
        }
    }

    private final InstantSource clock;
    private final Map<String, String> beside;

    /** @param beside titles of what else there is to be seen on this port, by path */
    public Pages(InstantSource clock, Map<String, String> beside) {
        this.clock = clock;
        this.beside = new LinkedHashMap<>(beside);
    }

    /** A page. */
    ServerResponse page(ServerRequest request, HttpStatus status, String template, Map<String, ?> model) {
        Map<String, Object> all = new HashMap<>(model);
        Map<String, String> navigation = new LinkedHashMap<>();
        for (Part part : Part.values()) {
            navigation.put(part.path(), part.title());
        }
        navigation.putAll(beside);
        all.put("navigation", navigation);
        all.put("here", request.path());
        all.put("user", who(request));
        all.put("operator", request.servletRequest().isUserInRole("OPERATOR"));
        all.put("as", new Wording(clock.instant()));
        request.param("said").flatMap(Pages::said).ifPresent(text -> all.put("said", text));
        return RenderingResponse.create(template)
                .status(status)
                .modelAttributes(all)
                .header("Content-Type", "text/html;charset=UTF-8")
                .build();
    }

    ServerResponse page(ServerRequest request, String template, Map<String, ?> model) {
        return page(request, HttpStatus.OK, template, model);
    }

    ServerResponse notFound(ServerRequest request, String what) {
        return page(request, HttpStatus.NOT_FOUND, "problem", Map.of("title", "Not found", "text", what));
    }

    /** To look at a page after something was done; the browser's reload does it no second time. */
    static ServerResponse seeOther(ServerRequest request, String path, Said said, Object... variables) {
        URI target = UriComponentsBuilder.fromPath(request.servletRequest().getContextPath() + path)
                .queryParam("said", said.name())
                .encode()
                .buildAndExpand(variables)
                .toUri();
        return ServerResponse.seeOther(target).build();
    }

    /** The name of who has logged in. */
    static String who(ServerRequest request) {
        return request.principal().map(Principal::getName).orElseThrow();
    }

    /**
     * Who acts, and why: the name is that of the login, whatever a form says.
     *
     * @throws IllegalArgumentException without a reason
     */
    static Operator operator(ServerRequest request) {
        return new Operator(who(request), request.param("reason").orElse(""));
    }

    /** Routes whose faults are pages too. */
    RouterFunction<ServerResponse> guarded(RouterFunctions.Builder routes) {
        return routes.onError(Throwable.class, (failure, request) -> failed(request, failure))
                .build();
    }

    private ServerResponse failed(ServerRequest request, Throwable failure) {
        log.error("a page of the console failed", failure);
        return page(
                request,
                HttpStatus.SERVICE_UNAVAILABLE,
                "problem",
                Map.of(
                        "title",
                        "This page can't be shown now",
                        "text",
                        "A back end gave no answer, or this is a fault of ours. The log of this process says which. "
                                + "Whether an action that was just asked for was done, is seen where it would have changed "
                                + "something."));
    }

    private static Optional<String> said(String name) {
        for (Said said : Said.values()) {
            if (said.name().equals(name)) {
                return Optional.of(said.text);
            }
        }
        return Optional.empty();
    }
}
