package com.finedge.once.console;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.RenderingResponse;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Where one logs in, and where one gets to afterwards. */
public final class LoginPage implements ManagementRoutes {

    private final boolean byPassword;
    private final Map<String, String> providers;

    /**
     * @param byPassword whether anybody can log in by name and password
     * @param providers names of the other places where one can log in, by their ids
     */
    public LoginPage(boolean byPassword, Map<String, String> providers) {
        this.byPassword = byPassword;
        this.providers = new LinkedHashMap<>(providers);
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET("/login", this::login)
                .GET("/", request -> toConsole(request))
                .build();
    }

    private ServerResponse login(ServerRequest request) {
        return RenderingResponse.create("login")
                .status(HttpStatus.OK)
                .modelAttribute("byPassword", byPassword)
                .modelAttribute("providers", providers)
                .modelAttribute("failed", request.param("error").isPresent())
                .modelAttribute("left", request.param("logout").isPresent())
                .build();
    }

    private static ServerResponse toConsole(ServerRequest request) {
        return ServerResponse.seeOther(URI.create(request.servletRequest().getContextPath() + "/console"))
                .build();
    }
}
