package com.finedge.once.adapter.web;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A problem that an answer may name (RFC 9457); the name is the stable end of its type URI. */
interface ProblemType {

    String name();

    HttpStatus status();

    String title();

    default URI type() {
        return URI.create("urn:once:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** @param detail what to do about it; never a value of the request */
    default ProblemDetail detail(String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status(), detail);
        problem.setType(type());
        problem.setTitle(title());
        return problem;
    }

    /** The same, to be thrown. */
    default ErrorResponseException because(String detail, @Nullable Throwable cause) {
        return new ErrorResponseException(status(), detail(detail), cause);
    }

    default ErrorResponseException because(String detail) {
        return because(detail, null);
    }
}
