package com.finedge.once.adapter.web;

import org.springframework.http.HttpStatus;

/** The problems that an answer of the APIs to charges and orders may name. */
enum Problem implements ProblemType {
    INVALID_REQUEST(HttpStatus.BAD_REQUEST, "The request isn't valid"),
    IDEMPOTENCY_KEY_MISSING(HttpStatus.BAD_REQUEST, "The header Idempotency-Key is missing"),
    IDEMPOTENCY_KEY_MALFORMED(HttpStatus.BAD_REQUEST, "The header Idempotency-Key isn't well-formed"),
    CHARGE_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such charge"),
    ORDER_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such order"),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED, "The method isn't allowed here"),
    REQUEST_IN_FLIGHT(HttpStatus.CONFLICT, "A request with this key is being worked on"),
    CHARGE_EXISTS(HttpStatus.CONFLICT, "There is a charge of this id already"),
    ORDER_EXISTS(HttpStatus.CONFLICT, "There is an order of this id already"),
    ORDER_CANNOT_BE_CANCELLED(HttpStatus.CONFLICT, "The order can't be cancelled any more"),
    BODY_TOO_LARGE(HttpStatus.PAYLOAD_TOO_LARGE, "The body is too large"),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "The body must be JSON"),
    IDEMPOTENCY_KEY_REUSED(HttpStatus.UNPROCESSABLE_ENTITY, "The key was used for another request"),
    INTERNAL_ERROR(HttpStatus.INTERNAL_SERVER_ERROR, "The request failed"),
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The database doesn't answer");

    private final HttpStatus status;
    private final String title;

    Problem(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    @Override
    public HttpStatus status() {
        return status;
    }

    @Override
    public String title() {
        return title;
    }
}
