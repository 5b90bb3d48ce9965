package com.finedge.once.adapter.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.util.Optional;

/** What the API has answered, to a request of that method and path. */
record Answer(String method, String path, HttpResponse<String> response) {

    private static final ObjectMapper JSON = new ObjectMapper();

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
