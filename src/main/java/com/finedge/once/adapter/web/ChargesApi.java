package com.finedge.once.adapter.web;

import com.finedge.once.billing.BilledCharge;
import com.finedge.once.billing.Billing;
import com.finedge.once.billing.ChargeRequest;
import com.finedge.once.billing.IdempotencyKey;
import com.finedge.once.billing.RaiseResult;
import com.finedge.once.contract.InvalidMessageException;
import java.net.URI;
import java.util.function.Function;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** {@code POST /charges} and {@code GET /charges/{id}}, as {@code /openapi.yaml} describes them. */
public final class ChargesApi {

    private static final String CHARGES = "/charges";
    private static final String CHARGE = CHARGES + "/{id}";
    private static final String IN_FLIGHT_SECONDS = "1";

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
                .route(RequestPredicates.path(CHARGES), request -> Requests.notAllowed("POST"))
                .route(
                        RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD)
                                .and(RequestPredicates.path(CHARGE)),
                        this::find)
                .route(RequestPredicates.path(CHARGE), request -> Requests.notAllowed("GET, HEAD"))
                .onError(Throwable.class, (failure, request) -> Requests.failed(failure))
                .build();
    }

    private ServerResponse raise(ServerRequest request) {
        IdempotencyKey key = IdempotencyKeyHeader.read(request.headers().header(IdempotencyKeyHeader.NAME));
        ChargeRequest charge = reader.apply(Requests.json(request));
        return switch (billing.raise(key, charge, request.headers().firstHeader("traceparent"))) {
            case RaiseResult.Raised(var raised) -> created(raised);
            case RaiseResult.Repeated(var raised) -> created(raised);
            case RaiseResult.InFlight() ->
                Requests.problem(
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
                yield Requests.problem(exists, HttpHeaders.LOCATION, CHARGES + "/" + chargeId);
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
}
