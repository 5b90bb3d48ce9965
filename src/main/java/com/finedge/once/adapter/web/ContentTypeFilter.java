package com.finedge.once.adapter.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses a {@code Content-Type} with a wildcard, on which Spring fails before a route is looked for. */
public final class ContentTypeFilter extends OncePerRequestFilter {

    private final ObjectMapper json;

    /** @param json writes problems as Spring does */
    public ContentTypeFilter(ObjectMapper json) {
        this.json = json;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String type = request.getContentType();
        if (type == null || !type.contains("*")) {
            chain.doFilter(request, response);
            return;
        }
        ProblemDetail problem = Problem.UNSUPPORTED_MEDIA_TYPE.detail("send application/json in UTF-8, not encoded");
        response.setStatus(problem.getStatus());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        json.writeValue(response.getOutputStream(), problem);
    }
}
