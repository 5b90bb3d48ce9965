package com.finedge.once.adapter.web;

import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.Operator;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.deadletter.ClaimDossier;
import com.finedge.once.deadletter.Correction;
import com.finedge.once.deadletter.DeadLetterQueueException;
import com.finedge.once.deadletter.DeadLetters;
import com.finedge.once.deadletter.Evidence;
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
import java.security.Principal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Dead letters, redrives, claims and the audit log, for operators.
 *
 * <p>Whoever mounts it sees to it that only operators reach it: what it does is done in the name of the request's
 * principal, and without one it does nothing.
 */
public final class DeadLettersApi {

    private static final Logger log = LoggerFactory.getLogger(DeadLettersApi.class);

    private static final String LETTERS = "/dead-letters";
    private static final String REDRIVE = LETTERS + "/redrive";
    private static final String REDRIVES = LETTERS + "/redrives";
    private static final String ONE_REDRIVE = REDRIVES + "/{id}";
    private static final String CANCEL = ONE_REDRIVE + "/cancel";
    private static final String REPLACE = LETTERS + "/{id}/replace";
    private static final String CLAIM = "/claims/{scope}/{key}";
    private static final String REOPEN = CLAIM + "/reopen";
    private static final String ACTIONS = "/operator-actions";

    private static final int PAGE = 50;
    private static final int MOST_A_PAGE = 500;
    private static final int MOST_ACTIONS = 500;
    private static final String RETRY_SECONDS = "5";

    private final DeadLetters letters;
    private final Redrives redrives;
    private final AuditLog audit;
    private final BiFunction<String, String, RedriveOrder> orders;
    private final BiFunction<String, String, Operator> reasons;
    private final BiFunction<String, String, Correction> corrections;
    private final Function<Object, String> writer;

    /**
     * The three readers take the operator's name and a body, and throw {@link InvalidMessageException} where the body
     * isn't what they read.
     *
     * @param writer writes what is answered as JSON
     */
    public DeadLettersApi(
            DeadLetters letters,
            Redrives redrives,
            AuditLog audit,
            BiFunction<String, String, RedriveOrder> orders,
            BiFunction<String, String, Operator> reasons,
            BiFunction<String, String, Correction> corrections,
            Function<Object, String> writer) {
        this.letters = letters;
        this.redrives = redrives;
        this.audit = audit;
        this.orders = orders;
        this.reasons = reasons;
        this.corrections = corrections;
        this.writer = writer;
    }

    /** What Spring is to route here. */
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET(LETTERS, this::list)
                .route(RequestPredicates.path(LETTERS), request -> Requests.notAllowed("GET, HEAD"))
                .POST(REDRIVE, this::redrive)
                .route(RequestPredicates.path(REDRIVE), request -> Requests.notAllowed("POST"))
                .GET(REDRIVES, request -> json(HttpStatus.OK, redrives.latest()))
                .route(RequestPredicates.path(REDRIVES), request -> Requests.notAllowed("GET, HEAD"))
                .GET(
                        ONE_REDRIVE,
                        request -> json(
                                HttpStatus.OK,
                                redrives.find(request.pathVariable("id")).orElseThrow(DeadLettersApi::noSuchRedrive)))
                .route(RequestPredicates.path(ONE_REDRIVE), request -> Requests.notAllowed("GET, HEAD"))
                .POST(CANCEL, this::cancel)
                .route(RequestPredicates.path(CANCEL), request -> Requests.notAllowed("POST"))
                .POST(REPLACE, this::replace)
                .route(RequestPredicates.path(REPLACE), request -> Requests.notAllowed("POST"))
                .GET(CLAIM, this::claim)
                .route(RequestPredicates.path(CLAIM), request -> Requests.notAllowed("GET, HEAD"))
                .POST(REOPEN, this::reopen)
                .route(RequestPredicates.path(REOPEN), request -> Requests.notAllowed("POST"))
                .GET(ACTIONS, this::actions)
                .route(RequestPredicates.path(ACTIONS), request -> Requests.notAllowed("GET, HEAD"))
                .onError(Throwable.class, (failure, request) -> failed(failure))
                .build();
    }

    private record Page(
            String queue,
            long visible,
            long hidden,
            int seen,
            boolean complete,
            Map<String, Long> byReason,
            Map<String, Long> byVerdict,
            int page,
            int pages,
            List<Group> reasons) {}

    /** Letters of a page that have one reason. */
    private record Group(String reason, long total, List<LetterView> letters) {}

    private ServerResponse list(ServerRequest request) {
        int size = number(request, "size", PAGE, MOST_A_PAGE);
        int page = number(request, "page", 1, DeadLetters.MOST_LOOKED_AT);
        int most = number(request, "look", DeadLetters.MOST_LOOKED_AT, DeadLetters.MOST_LOOKED_AT);
        Look look = letters.look(filter(request), terms(request), most);
        List<LetterView> sorted = look.letters().stream()
                .sorted(Comparator.comparing(LetterView::code)
                        .thenComparing(LetterView::sentAt)
                        .thenComparing(LetterView::id))
                .toList();
        Map<String, Long> byReason = look.byCode();
        Map<String, List<LetterView>> ofPage = new LinkedHashMap<>();
        sorted.stream()
                .skip((page - 1L) * size)
                .limit(size)
                .forEach(letter -> ofPage.computeIfAbsent(letter.code(), code -> new ArrayList<>())
                        .add(letter));
        return json(
                HttpStatus.OK,
                new Page(
                        look.queue(),
                        look.depth().visible(),
                        look.depth().hidden(),
                        look.seen(),
                        look.complete(),
                        byReason,
                        look.byVerdict(),
                        page,
                        Math.max(1, (sorted.size() + size - 1) / size),
                        ofPage.entrySet().stream()
                                .map(group -> new Group(
                                        group.getKey(), byReason.getOrDefault(group.getKey(), 0L), group.getValue()))
                                .toList()));
    }

    private static LetterFilter filter(ServerRequest request) {
        return new LetterFilter(
                Set.copyOf(request.params().getOrDefault("reason", List.of())),
                request.param("chargeId").orElse(null),
                duration(request, "olderThan"),
                duration(request, "youngerThan"));
    }

    private static Terms terms(ServerRequest request) {
        return new Terms(flag(request, "includeRejected"), flag(request, "force"));
    }

    private ServerResponse redrive(ServerRequest request) {
        RedriveOrder order = orders.apply(who(request), Requests.json(request));
        return switch (redrives.start(order)) {
            case StartResult.Started(RedriveProgress progress) ->
                ServerResponse.accepted()
                        .location(URI.create(REDRIVES + "/" + progress.id()))
                        .contentType(MediaType.APPLICATION_JSON)
                        .cacheControl(CacheControl.noStore())
                        .body(writer.apply(progress));
            case StartResult.Busy(RedriveProgress running) -> {
                ProblemDetail busy =
                        OperatorProblem.REDRIVE_RUNNING.detail("wait for it, or cancel it: " + running.id());
                busy.setProperty("running", running.id());
                yield Requests.problem(busy, HttpHeaders.LOCATION, REDRIVES + "/" + running.id());
            }
        };
    }

    private ServerResponse cancel(ServerRequest request) {
        String who = who(request);
        String id = request.pathVariable("id");
        RedriveProgress progress = redrives.cancel(id).orElseThrow(DeadLettersApi::noSuchRedrive);
        log.info("redrive {} is cancelled by {}", progress.id(), who);
        return json(HttpStatus.ACCEPTED, progress);
    }

    private ServerResponse replace(ServerRequest request) {
        Correction correction = corrections.apply(who(request), Requests.json(request));
        return switch (letters.replace(request.pathVariable("id"), correction)) {
            case ReplaceResult.Sent sent -> ServerResponse.noContent().build();
            case ReplaceResult.NotFound notFound ->
                throw OperatorProblem.DEAD_LETTER_NOT_FOUND.because(
                        "it was redriven or deleted, or somebody is looking at it: try again in a minute");
            case ReplaceResult.NotInvalid valid ->
                throw OperatorProblem.DEAD_LETTER_VALID.because("redrive it: its claim says what is to become of it");
            case ReplaceResult.StillInvalid(var reading) -> {
                ProblemDetail invalid = Problem.INVALID_REQUEST.detail("body: " + reading.rule());
                invalid.setProperty("code", reading.code());
                yield Requests.problem(invalid);
            }
        };
    }

    private record Dossier(ClaimRecord claim, long attempts, Answer bank, List<?> actions) {}

    private record Answer(
            String says,
            @Nullable String reference,
            @Nullable String reason) {

        static Answer of(Evidence evidence) {
            return switch (evidence) {
                case Evidence.NotAsked notAsked -> new Answer("NOT_ASKED", null, null);
                case Evidence.Happened(String reference) -> new Answer("HAPPENED", reference, null);
                case Evidence.NotHappened no -> new Answer("NOT_HAPPENED", null, null);
                case Evidence.Unsure(String reason) -> new Answer("UNSURE", null, reason);
            };
        }
    }

    private ServerResponse claim(ServerRequest request) {
        ClaimDossier dossier = letters.claim(key(request), MOST_ACTIONS).orElseThrow(DeadLettersApi::noSuchClaim);
        return json(
                HttpStatus.OK,
                new Dossier(
                        dossier.claim(), dossier.claim().attempts(), Answer.of(dossier.evidence()), dossier.actions()));
    }

    private ServerResponse reopen(ServerRequest request) {
        Operator by = reasons.apply(who(request), Requests.json(request));
        return switch (letters.reopen(key(request), by)) {
            case REOPENED -> ServerResponse.noContent().build();
            case NOT_FOUND -> throw noSuchClaim();
            case NOT_FAILED -> throw OperatorProblem.CLAIM_NOT_FAILED.because("only a FAILED claim can be reopened");
        };
    }

    private static ClaimKey key(ServerRequest request) {
        try {
            return new ClaimKey(request.pathVariable("scope"), request.pathVariable("key"));
        } catch (IllegalArgumentException e) {
            throw noSuchClaim();
        }
    }

    private ServerResponse actions(ServerRequest request) {
        int most = number(request, "limit", PAGE, MOST_ACTIONS);
        return json(
                HttpStatus.OK,
                request.param("target").map(target -> audit.on(target, most)).orElseGet(() -> audit.latest(most)));
    }

    private static String who(ServerRequest request) {
        return request.principal()
                .map(Principal::getName)
                .orElseThrow(() -> OperatorProblem.NOBODY_IS_NAMED.because("log in first"));
    }

    private ServerResponse json(HttpStatus status, Object answer) {
        return ServerResponse.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .cacheControl(CacheControl.noStore())
                .body(writer.apply(answer));
    }

    private static RuntimeException noSuchRedrive() {
        return OperatorProblem.REDRIVE_NOT_FOUND.because("this process remembers its latest redrives only");
    }

    private static RuntimeException noSuchClaim() {
        return OperatorProblem.CLAIM_NOT_FOUND.because("it was never made, or it has expired");
    }

    private static int number(ServerRequest request, String name, int otherwise, int most) {
        String text = request.param(name).orElse(null);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, as one that is out of bounds.
        }
        throw Problem.INVALID_REQUEST.because(name + " must be a whole number from 1 to " + most);
    }

    private static boolean flag(ServerRequest request, String name) {
        return request.param(name).map(Boolean::parseBoolean).orElse(false);
    }

    private static @Nullable Duration duration(ServerRequest request, String name) {
        try {
            return request.param(name)
                    .filter(text -> !text.isBlank())
                    .map(Duration::parse)
                    .orElse(null);
        } catch (DateTimeException e) {
            throw Problem.INVALID_REQUEST.because(name + " must be a duration such as PT2H");
        }
    }

    private static ServerResponse failed(Throwable failure) {
        return switch (failure) {
            case ClaimStoreException e -> unavailable(e);
            case DeadLetterQueueException e -> unavailable(e);
            case InvalidMessageException e -> Requests.failed(e);
            case IllegalArgumentException e ->
                Requests.problem(Problem.INVALID_REQUEST.detail(String.valueOf(e.getMessage())));
            default -> Requests.failed(failure);
        };
    }

    private static ServerResponse unavailable(RuntimeException failure) {
        log.warn("an operator's request was put off: {}", failure.toString());
        return Requests.problem(
                OperatorProblem.BACK_END_UNAVAILABLE.detail("send it again; what was done so far stays done"),
                HttpHeaders.RETRY_AFTER,
                RETRY_SECONDS);
    }
}
