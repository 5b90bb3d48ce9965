package com.finedge.once.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** The files that the pages need: one stylesheet of our own, and htmx. */
public final class Assets implements ManagementRoutes {

    /** What the login page looks like; open, as the page is. */
    public static final String STYLESHEET = "/console/assets/console.css";

    /** The sign of the pages; open too. */
    public static final String ICON = "/console/assets/icon.svg";

    private static final Duration KEPT = Duration.ofMinutes(10);

    @Override
    public RouterFunction<ServerResponse> routes() {
        Map<String, Resource> scripts = new LinkedHashMap<>();
        scripts.put("/console/assets/htmx.js", webjar("htmx.org/*/dist/htmx.min.js"));
        scripts.put("/console/assets/sse.js", webjar("htmx-ext-sse/*/sse.js"));
        RouterFunctions.Builder routes = RouterFunctions.route();
        add(routes, STYLESHEET, new ClassPathResource("console/console.css"), MediaType.valueOf("text/css"));
        add(routes, ICON, new ClassPathResource("console/icon.svg"), MediaType.valueOf("image/svg+xml"));
        scripts.forEach((path, file) -> add(routes, path, file, MediaType.valueOf("text/javascript")));
        return routes.build();
    }

    private static void add(RouterFunctions.Builder routes, String path, Resource file, MediaType type) {
        routes.GET(
                path,
                request -> ServerResponse.ok()
                        .contentType(type)
                        .cacheControl(CacheControl.maxAge(KEPT).cachePrivate())
                        .body(file));
    }

    /** Whatever its version is: there is one. */
    private static Resource webjar(String pattern) {
        try {
            Resource[] found = new PathMatchingResourcePatternResolver()
                    .getResources("classpath*:META-INF/resources/webjars/" + pattern);
            if (found.length != 1) {
                throw new IllegalStateException(found.length + " files are " + pattern);
            }
            return found[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
