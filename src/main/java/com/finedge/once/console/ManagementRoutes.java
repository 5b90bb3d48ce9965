package com.finedge.once.console;

import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** What is served on the management port, to those who have logged in, and nowhere else. */
@FunctionalInterface
public interface ManagementRoutes {

    /** Not a bean itself: Spring would serve it on the public port. */
    RouterFunction<ServerResponse> routes();
}
