package com.finedge.once.config;

import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Keeps what manages the application away from where its public API is. */
@Configuration(proxyBeanMethods = false)
class ManagementPortCheck {

    ManagementPortCheck(Environment environment) {
        Checks.refuse(
                ManagementPortType.get(environment) == ManagementPortType.SAME,
                "management.server.port (%s) must be another than server.port: what manages the application would be "
                        + "reachable wherever its public API is",
                environment.getProperty("management.server.port", ""));
    }
}
