package com.finedge.once.adapter.web;

import com.finedge.once.billing.BilledCharge;
import com.finedge.once.billing.Billing;
import com.finedge.once.billing.ChargeRequest;
import com.finedge.once.billing.IdempotencyKey;
import com.finedge.once.billing.RaiseResult;
import com.finedge.once.contract.InvalidMessageException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** {@code POST /charges} and {@code GET /charges/{id}}, as {@code /openapi.yaml} describes them. */
public final class ChargesApi {

    /** Many times what a charge takes. */
    static final int MAX_BODY_BYTES = 16 * 1024;

    private static final Logger log = LoggerFactory.getLogger(ChargesApi.class);

    private static final String CHARGES = "/charges";
    private static final String CHARGE = CHARGES + "/{id}";
    private static final String IN_FLIGHT_SECONDS = "1";
    private static final String UNAVAILABLE_SECONDS = "5";

    private final Billing billing;
    private final Function<String, ChargeRequest> reader;
    private final Function<BilledCharge, String> writer;

    /**
     * @param reader reads a request from JSON, and throws {@link InvalidMessageException} where it isn't one
     * @param writer writes a charge as JSON
     */
    public ChargesApi(Billing billing, Function<String, ChargeRequest> reader, Function<BilledCharge, String> writer) {
        this.billing = billing;
        this.reader = reader;
        this.writer = writer;
    }

    /** What Spring is to route here. */
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .POST(CHARGES, this::raise)
                .route(RequestPredicates.path(CHARGES), request -> notAllowed("POST"))
                .route(
                        RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD)
                                .and(RequestPredicates.path(CHARGE)),
                        this::find)
                .route(RequestPredicates.path(CHARGE), request -> notAllowed("GET, HEAD"))
                .GET(
                        "/openapi.yaml",
                        request -> ServerResponse.ok()
                                .contentType(MediaType.APPLICATION_YAML)
                                .body(new ClassPathResource("openapi/charges.yaml")))
                .onError(Throwable.class, (failure, request) -> failed(failure))
                .build();
    }

    private ServerResponse raise(ServerRequest request) {
        IdempotencyKey key = IdempotencyKeyHeader.read(request.headers().header(IdempotencyKeyHeader.NAME));
        requireJson(request);
        ChargeRequest charge = reader.apply(body(request));
        return switch (billing.raise(key, charge, request.headers().firstHeader("traceparent"))) {
            case RaiseResult.Raised(var raised) -> created(raised);
            case RaiseResult.Repeated(var raised) -> created(raised);
            case RaiseResult.InFlight() ->
                problem(
                        Problem.REQUEST_IN_FLIGHT.detail("send it again, with the same key, to learn its answer"),
                        HttpHeaders.RETRY_AFTER,
                        IN_FLIGHT_SECONDS);
            case RaiseResult.KeyReused() ->
                throw Problem.IDEMPOTENCY_KEY_REUSED.because("a request with other fields needs a key of its own");
            case RaiseResult.ChargeExists(var chargeId, var sameContent) -> {
                ProblemDetail exists = Problem.CHARGE_EXISTS.detail(
                        sameContent
                                ? "a request with another key has raised it, with the same content"
                                : "a request with another key has raised it, with other content");
                exists.setProperty("sameContent", sameContent);
                yield problem(exists, HttpHeaders.LOCATION, CHARGES + "/" + chargeId);
            }
        };
    }

    private ServerResponse created(BilledCharge charge) {
        return ServerResponse.created(URI.create(CHARGES + "/" + charge.chargeId()))
                .contentType(MediaType.APPLICATION_JSON)
                .cacheControl(CacheControl.noStore())
                .body(writer.apply(charge));
    }

    private ServerResponse find(ServerRequest request) {
        return billing.find(request.pathVariable("id"))
                .map(charge -> ServerResponse.ok()
                        .contentType(MediaType.APPLICATION_JSON)
                        .cacheControl(CacheControl.noStore())
                        .body(writer.apply(charge)))
                .orElseThrow(() -> Problem.CHARGE_NOT_FOUND.because("no charge of this id was raised here"));
    }

    private static void requireJson(ServerRequest request) {
        try {
            boolean json = request.headers()
                    .contentType()
                    .filter(MediaType.APPLICATION_JSON::equalsTypeAndSubtype)
                    .filter(type -> type.getCharset() == null || StandardCharsets.UTF_8.equals(type.getCharset()))
                    .isPresent();
            boolean encoded =
                    !request.headers().header(HttpHeaders.CONTENT_ENCODING).isEmpty();
            if (!json || encoded) {
                throw Problem.UNSUPPORTED_MEDIA_TYPE.because("send application/json in UTF-8, not encoded");
            }
        } catch (InvalidMediaTypeException e) {
            throw Problem.UNSUPPORTED_MEDIA_TYPE.because("send application/json in UTF-8, not encoded", e);
        }
    }

    private static String body(ServerRequest request) {
        try {
            byte[] body = request.servletRequest().getInputStream().readNBytes(MAX_BODY_BYTES + 1);
            if (body.length > MAX_BODY_BYTES) {
                throw Problem.BODY_TOO_LARGE.because("must have at most " + MAX_BODY_BYTES + " bytes");
            }
            // Unlike a String's own decoding it refuses what isn't UTF-8.
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Problem.INVALID_REQUEST.because("the body must be UTF-8", e);
        } catch (IOException e) {
            throw Problem.INVALID_REQUEST.because("the body ended before its time", e);
        }
    }

    private static ServerResponse notAllowed(String methods) {
        return problem(
                Problem.METHOD_NOT_ALLOWED.detail("the methods allowed here are: " + methods),
                HttpHeaders.ALLOW,
                methods);
    }

    private static ServerResponse failed(Throwable failure) {
        return switch (failure) {
            case ErrorResponseException known -> problem(known.getBody());
            case InvalidMessageException invalid -> {
                // Its text names the field and the rule and never a value.
                ProblemDetail problem = Problem.INVALID_REQUEST.detail(String.valueOf(invalid.getMessage()));
                problem.setProperty("code", invalid.code().name());
                invalid.field().ifPresent(field -> problem.setProperty("field", field));
                yield problem(problem);
            }
            // Whether the commit was reached may be unknown; the key makes the next try safe in either case.
            case DataAccessResourceFailureException e -> unavailable(e);
            case TransientDataAccessException e -> unavailable(e);
            case RecoverableDataAccessException e -> unavailable(e);
            case TransactionException e -> unavailable(e);
            default -> {
                log.error("a request failed", failure);
                yield problem(
                        Problem.INTERNAL_ERROR.detail("nothing was stored; it may be sent again with the same key"));
            }
        };
    }

    private static ServerResponse unavailable(Exception failure) {
        log.warn("a request was put off: {}", failure.toString());
        return problem(
                Problem.UNAVAILABLE.detail("send it again, with the same key"),
                HttpHeaders.RETRY_AFTER,
                UNAVAILABLE_SECONDS);
    }

    private static ServerResponse problem(ProblemDetail problem, String... headers) {
        ServerResponse.BodyBuilder answer =
                ServerResponse.status(problem.getStatus()).contentType(MediaType.APPLICATION_PROBLEM_JSON);
        for (int i = 0; i < headers.length; i += 2) {
            answer.header(headers[i], headers[i + 1]);
        }
        return answer.body(problem);
    }
}
