package com.finedge.once.adapter.web;

import com.finedge.once.contract.InvalidMessageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** What the APIs have in common: how a body is read, and how answers that aren't what was asked for are written. */
final class Requests {

    /** Many times what a request takes. */
    static final int MAX_BODY_BYTES = 16 * 1024;

    private static final Logger log = LoggerFactory.getLogger(Requests.class);

    private static final String UNAVAILABLE_SECONDS = "5";

    private Requests() {}

    /** The body of a request that must be JSON. */
    static String json(ServerRequest request) {
        requireJson(request);
        return body(request);
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

    static ServerResponse notAllowed(String methods) {
        return problem(
                Problem.METHOD_NOT_ALLOWED.detail("the methods allowed here are: " + methods),
                HttpHeaders.ALLOW,
                methods);
    }

    static ServerResponse failed(Throwable failure) {
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

    static ServerResponse problem(ProblemDetail problem, String... headers) {
        ServerResponse.BodyBuilder answer =
                ServerResponse.status(problem.getStatus()).contentType(MediaType.APPLICATION_PROBLEM_JSON);
        for (int i = 0; i < headers.length; i += 2) {
            answer.header(headers[i], headers[i + 1]);
        }
        return answer.body(problem);
    }
}
