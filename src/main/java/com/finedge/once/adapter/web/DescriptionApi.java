package com.finedge.once.adapter.web;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** {@code GET /openapi.yaml}, which describes what this and other roles answer. */
public final class DescriptionApi {

    /** What Spring is to route here. */
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET(
                        "/openapi.yaml",
                        request -> ServerResponse.ok()
                                .contentType(MediaType.APPLICATION_YAML)
                                .body(new ClassPathResource("openapi/once.yaml")))
                .build();
    }
}
