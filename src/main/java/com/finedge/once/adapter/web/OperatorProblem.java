package com.finedge.once.adapter.web;

import org.springframework.http.HttpStatus;

/** The problems that an answer to an operator may name besides those of every API. */
enum OperatorProblem implements ProblemType {
    NOBODY_IS_NAMED(HttpStatus.UNAUTHORIZED, "The request doesn't say whose it is"),
    CLAIM_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such claim"),
    DEAD_LETTER_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such dead letter"),
    REDRIVE_NOT_FOUND(HttpStatus.NOT_FOUND, "There is no such redrive"),
    CLAIM_NOT_FAILED(HttpStatus.CONFLICT, "The claim hasn't failed"),
    DEAD_LETTER_VALID(HttpStatus.CONFLICT, "The dead letter is a valid message"),
    REDRIVE_RUNNING(HttpStatus.CONFLICT, "A redrive is running"),
    BACK_END_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "A back end doesn't answer");

    private final HttpStatus status;
    private final String title;

    OperatorProblem(HttpStatus status, String title) {
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
