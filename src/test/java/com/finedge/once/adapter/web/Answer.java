package com.finedge.once.adapter.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the API has answered, to a request of that method and path. */
record Answer(String method, String path, HttpResponse<String> response) {

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    static Answer to(HttpClient http, String method, String url, byte @Nullable [] body, String... headers) {
        URI target = URI.create(url);
        HttpRequest.Builder request = HttpRequest.newBuilder(target)
                .timeout(LONGEST)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return new Answer(method, target.getRawPath(), http.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    int status() {
        return response.statusCode();
    }

    Optional<String> header(String name) {
        return response.headers().firstValue(name);
    }

    JsonNode json() {
        try {
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + response.body(), e);
        }
    }

    String text(String field) {
        return json().path(field).asText();
    }

    /** The end of the problem's type, or nothing where it is none. */
    String problem() {
        return header("Content-Type").orElse("").equals("application/problem+json")
                ? text("type").replaceFirst("^urn:once:problem:", "")
                : "";
    }
}
