package com.finedge.once.console;

import jakarta.servlet.ServletContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.context.WebServerApplicationContext;
import org.springframework.boot.web.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpMethod;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** Every path that is served on the management port, as the mappings of its context have them. */
final class ManagementPaths implements ApplicationListener<WebServerInitializedEvent> {

    private @Nullable ApplicationContext management;

    @Override
    public void onApplicationEvent(WebServerInitializedEvent event) {
        if (WebServerApplicationContext.hasServerNamespace(event.getApplicationContext(), "management")) {
            management = event.getApplicationContext();
        }
    }

    /** Paths with their variables filled in. */
    Set<String> all() {
        ApplicationContext context = management;
        if (context == null) {
            throw new AssertionError("there is no management port");
        }
        Set<String> paths = new TreeSet<>();
        for (Map.Entry<String, HandlerMapping> mapping :
                context.getBeansOfType(HandlerMapping.class).entrySet()) {
            of(mapping.getKey(), mapping.getValue())
                    .map(path -> path.replaceAll("\\{[^}]*}", "x").replace("**", "x"))
                    .forEach(paths::add);
        }
        ServletContext servlets = Objects.requireNonNull(((WebApplicationContext) context).getServletContext());
        servlets.getServletRegistrations().values().stream()
                .flatMap(servlet -> servlet.getMappings().stream())
                .map(path -> path.replace("*", "x"))
                .forEach(paths::add);
        return paths;
    }

    private static Stream<String> of(String name, HandlerMapping mapping) {
        return switch (mapping) {
            case RequestMappingInfoHandlerMapping methods ->
                methods.getHandlerMethods().keySet().stream().flatMap(info -> info.getPatternValues().stream());
            case RouterFunctionMapping functions -> {
                Visitor visitor = new Visitor();
                RouterFunction<?> routes = functions.getRouterFunction();
                if (routes != null) {
                    routes.accept(visitor);
                }
                yield visitor.paths.stream();
            }
            case AbstractUrlHandlerMapping urls -> urls.getHandlerMap().keySet().stream();
            default -> {
                if (name.equals("handlerMapping")) {
                    yield Stream.empty(); // all others together
                }
                throw new AssertionError("a mapping that this test can't read: " + name);
            }
        };
    }

    /** A route without a path would be missed: it is a fault. */
    private static final class Visitor implements RouterFunctions.Visitor {

        private final List<String> paths = new ArrayList<>();

        @Override
        public void route(RequestPredicate predicate, HandlerFunction<?> handler) {
            int before = paths.size();
            predicate.accept(new Predicates(paths));
            if (paths.size() == before) {
                throw new AssertionError("a route without a path: " + predicate);
            }
        }

        @Override
        public void startNested(RequestPredicate predicate) {
            throw new AssertionError("a nested route, which this test can't read: " + predicate);
        }

        @Override
        public void endNested(RequestPredicate predicate) {}

        @Override
        public void resources(Function<ServerRequest, Optional<Resource>> lookup) {
            throw new AssertionError("resources, whose paths this test can't read");
        }

        @Override
        public void attributes(Map<String, Object> attributes) {}

        @Override
        public void unknown(RouterFunction<?> router) {
            throw new AssertionError("a router that this test can't read: " + router);
        }
    }

    private record Predicates(List<String> paths) implements RequestPredicates.Visitor {

        @Override
        public void path(String pattern) {
            paths.add(pattern);
        }

        @Override
        public void method(Set<HttpMethod> methods) {}

        @Override
        @Deprecated
        public void pathExtension(String extension) {}

        @Override
        public void header(String name, String value) {}

        @Override
        @Deprecated
        public void param(String name, String value) {}

        @Override
        public void startAnd() {}

        @Override
        public void and() {}

        @Override
        public void endAnd() {}

        @Override
        public void startOr() {}

        @Override
        public void or() {}

        @Override
        public void endOr() {}

        @Override
        public void startNegate() {}

        @Override
        public void endNegate() {}

        @Override
        public void unknown(RequestPredicate predicate) {}
    }
}
