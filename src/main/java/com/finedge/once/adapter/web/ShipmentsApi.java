package com.finedge.once.adapter.web;

import com.finedge.once.order.Dispatches;
import java.time.InstantSource;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** {@code PUT /shipments/{orderId}/dispatch}, by which whoever hands parcels over says that the carrier has one. */
public final class ShipmentsApi {

    private static final String DISPATCH = "/shipments/{orderId}/dispatch";

    private final Dispatches dispatches;
    private final InstantSource clock;

    public ShipmentsApi(Dispatches dispatches, InstantSource clock) {
        this.dispatches = dispatches;
        this.clock = clock;
    }

    /** What Spring is to route here. */
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .PUT(DISPATCH, this::dispatch)
                .route(RequestPredicates.path(DISPATCH), request -> Requests.notAllowed("PUT"))
                .onError(Throwable.class, (failure, request) -> Requests.failed(failure))
                .build();
    }

    private ServerResponse dispatch(ServerRequest request) {
        return switch (dispatches.dispatch(request.pathVariable("orderId"), clock.instant())) {
            case DISPATCHED -> ServerResponse.noContent().build();
            case CANCELLED -> throw Problem.SHIPMENT_CANCELLED.because("its order was cancelled: keep the parcel");
            case UNKNOWN -> throw Problem.SHIPMENT_NOT_FOUND.because("no shipment is arranged for an order of this id");
        };
    }
}
