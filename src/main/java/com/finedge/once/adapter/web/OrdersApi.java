package com.finedge.once.adapter.web;

import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.order.CancelResult;
import com.finedge.once.order.OrderRequest;
import com.finedge.once.order.Orders;
import com.finedge.once.order.PlaceResult;
import com.finedge.once.saga.SagaStore.Dossier;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** {@code POST /orders}, {@code GET /orders/{id}} and {@code DELETE /orders/{id}}, as {@code /openapi.yaml} describes them. */
public final class OrdersApi {

    private static final String ORDERS = "/orders";
    private static final String ORDER = ORDERS + "/{id}";

    private final Orders orders;
    private final Function<String, OrderRequest> reader;
    private final BiFunction<String, Optional<Dossier>, String> writer;

    /**
     * @param reader reads a request from JSON, and throws {@link InvalidMessageException} where it isn't one
     * @param writer writes an order and what is known of its saga as JSON
     */
    public OrdersApi(
            Orders orders,
            Function<String, OrderRequest> reader,
            BiFunction<String, Optional<Dossier>, String> writer) {
        this.orders = orders;
        this.reader = reader;
        this.writer = writer;
    }

    /** What Spring is to route here. */
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .POST(ORDERS, this::place)
                .route(RequestPredicates.path(ORDERS), request -> Requests.notAllowed("POST"))
                .route(
                        RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD)
                                .and(RequestPredicates.path(ORDER)),
                        this::find)
                .DELETE(ORDER, this::cancel)
                .route(RequestPredicates.path(ORDER), request -> Requests.notAllowed("GET, HEAD, DELETE"))
                .onError(Throwable.class, (failure, request) -> Requests.failed(failure))
                .build();
    }

    /** The key may be left out where the order has an id of its own, which names the request as well. */
    private ServerResponse place(ServerRequest request) {
        List<String> keys = request.headers().header(IdempotencyKeyHeader.NAME);
        String key = keys.isEmpty() ? null : IdempotencyKeyHeader.read(keys).value();
        OrderRequest order = reader.apply(Requests.json(request));
        return switch (orders.place(order, key, request.headers().firstHeader("traceparent"))) {
            case PlaceResult.Placed(String orderId) ->
                ServerResponse.created(location(orderId))
                        .contentType(MediaType.APPLICATION_JSON)
                        .cacheControl(CacheControl.noStore())
                        .body(writer.apply(orderId, orders.saga(orderId)));
            case PlaceResult.OtherContent(String orderId) ->
                Requests.problem(
                        Problem.ORDER_EXISTS.detail(
                                "an order with other content has this id, or was placed with this key"),
                        HttpHeaders.LOCATION,
                        location(orderId).toString());
        };
    }

    private ServerResponse find(ServerRequest request) {
        String orderId = request.pathVariable("id");
        if (!orders.isPlaced(orderId)) {
            throw Problem.ORDER_NOT_FOUND.because("no order of this id was placed here");
        }
        return ServerResponse.ok()
                .contentType(MediaType.APPLICATION_JSON)
                .cacheControl(CacheControl.noStore())
                .body(writer.apply(orderId, orders.saga(orderId)));
    }

    private ServerResponse cancel(ServerRequest request) {
        String orderId = request.pathVariable("id");
        CancelResult result = orders.cancel(orderId);
        return switch (result) {
            case ACCEPTED ->
                ServerResponse.accepted()
                        .header(HttpHeaders.LOCATION, location(orderId).toString())
                        .build();
            case TOO_LATE ->
                throw Problem.ORDER_CANNOT_BE_CANCELLED.because("its shipping is arranged, and it goes on from there");
            case UNKNOWN -> throw Problem.ORDER_NOT_FOUND.because("no order of this id was placed here");
        };
    }

    private static URI location(String orderId) {
        return URI.create(ORDERS + "/" + orderId);
    }
}
