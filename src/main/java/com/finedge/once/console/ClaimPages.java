package com.finedge.once.console;

import com.finedge.once.claim.ClaimKey;
import com.finedge.once.console.Pages.Said;
import com.finedge.once.deadletter.ClaimDossier;
import com.finedge.once.deadletter.DeadLetters;
import com.finedge.once.deadletter.Evidence;
import com.finedge.once.deadletter.ReopenResult;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.UriComponentsBuilder;

/** One claim: what is recorded, what operators did to it, what the bank says, and how it is reopened. */
public final class ClaimPages implements ManagementRoutes {

    private static final String FIND = "/console/claims";
    private static final String ONE = FIND + "/{scope}/{key}";
    private static final String REOPEN = ONE + "/reopen";

    private static final int MOST_ACTIONS = 200;

    private final Pages pages;
    private final DeadLetters letters;
    private final String scope;

    /** @param scope the scope of a key that is looked for without one */
    public ClaimPages(Pages pages, DeadLetters letters, String scope) {
        this.pages = pages;
        this.letters = letters;
        this.scope = scope;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return pages.guarded(RouterFunctions.route()
                .GET(FIND, this::find)
                .GET(ONE, request -> known(request, (key, dossier) -> one(request, dossier)))
                .GET(REOPEN, request -> known(request, (key, dossier) -> asked(request, HttpStatus.OK, dossier, null)))
                .POST(REOPEN, request -> known(request, (key, dossier) -> reopen(request, key, dossier))));
    }

    private ServerResponse find(ServerRequest request) {
        Optional<ClaimKey> key =
                key(scope, request.param("key").map(String::strip).orElse(""));
        return key.isEmpty()
                ? none(request)
                : ServerResponse.seeOther(UriComponentsBuilder.fromPath(
                                        request.servletRequest().getContextPath() + ONE)
                                .encode()
                                .buildAndExpand(key.get().scope(), key.get().key())
                                .toUri())
                        .build();
    }

    private ServerResponse known(ServerRequest request, BiFunction<ClaimKey, ClaimDossier, ServerResponse> work) {
        Optional<ClaimKey> key = key(request.pathVariable("scope"), request.pathVariable("key"));
        return key.flatMap(known -> letters.claim(known, MOST_ACTIONS).map(dossier -> work.apply(known, dossier)))
                .orElseGet(() -> none(request));
    }

    private ServerResponse none(ServerRequest request) {
        return pages.notFound(request, "There is no such claim: it was never made, or it has expired.");
    }

    private ServerResponse one(ServerRequest request, ClaimDossier dossier) {
        return pages.page(request, "claim", model(dossier));
    }

    private static Map<String, Object> model(ClaimDossier dossier) {
        return Map.of(
                "claim", dossier.claim(),
                "detail", new TreeMap<>(dossier.claim().detail()),
                "actions", dossier.actions(),
                "bank", bank(dossier.evidence()));
    }

    private static String bank(Evidence evidence) {
        return switch (evidence) {
            case Evidence.NotAsked notAsked -> "It wasn't asked: the claim leaves no doubt.";
            case Evidence.Happened(String reference) ->
                reference == null ? "It was debited." : "It was debited, as " + reference + ".";
            case Evidence.NotHappened no -> "It was not debited, as far as the bank knows now.";
            case Evidence.Unsure(String reason) -> "No answer: " + reason;
        };
    }

    private ServerResponse asked(
            ServerRequest request, HttpStatus status, ClaimDossier dossier, @Nullable String refused) {
        Map<String, Object> model = new HashMap<>(model(dossier));
        if (refused != null) {
            model.put("refused", refused);
        }
        return pages.page(request, status, "claim-reopen", model);
    }

    private ServerResponse reopen(ServerRequest request, ClaimKey key, ClaimDossier dossier) {
        try {
            ReopenResult result = letters.reopen(key, Pages.operator(request));
            return Pages.seeOther(
                    request,
                    ONE,
                    result == ReopenResult.REOPENED ? Said.REOPENED : Said.NOT_REOPENED,
                    key.scope(),
                    key.key());
        } catch (IllegalArgumentException e) {
            return asked(request, HttpStatus.BAD_REQUEST, dossier, e.getMessage());
        }
    }

    private static Optional<ClaimKey> key(String scope, String key) {
        try {
            return Optional.of(new ClaimKey(scope, key));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
