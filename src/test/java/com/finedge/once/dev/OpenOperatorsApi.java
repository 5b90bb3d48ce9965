package com.finedge.once.dev;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.finedge.once.adapter.web.DeadLettersApi;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Opens the operators' API on the public port, and believes every name: for tests and demonstrations only.
 * No {@code @Configuration}, which the application's scan would find.
 */
public class OpenOperatorsApi {

    private static final String BASIC = "Basic ";

    @Bean
    RouterFunction<ServerResponse> openOperatorsApiRoutes(DeadLettersApi api) {
        return api.routes();
    }

    @Bean
    Filter believedNames() {
        return (request, response, chain) ->
                chain.doFilter(request instanceof HttpServletRequest http ? new Named(http) : request, response);
    }

    private static final class Named extends HttpServletRequestWrapper {

        private Named(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable Principal getUserPrincipal() {
            String header = getHeader("Authorization");
            if (header == null || !header.startsWith(BASIC)) {
                return null;
            }
            String name = new String(Base64.getDecoder().decode(header.substring(BASIC.length())), UTF_8)
                    .replaceFirst(":.*", "");
            return () -> name;
        }
    }
}
