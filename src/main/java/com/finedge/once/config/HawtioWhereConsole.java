package com.finedge.once.config;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.env.EnvironmentPostProcessor;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Hawtio is where the console is, unless {@code once.hawtio} says otherwise. Elsewhere nothing is an MBean: Camel would
 * count and time each step of each message for nobody.
 */
class HawtioWhereConsole implements EnvironmentPostProcessor {

    static final String KEY = "once.hawtio";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        boolean there =
                environment.getProperty(KEY, Boolean.class, Role.of(environment).contains(Role.CONSOLE));
        environment
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "hawtio",
                        Map.of(
                                KEY,
                                there,
                                "hawtio.enabled",
                                there,
                                "management.endpoint.jolokia.access",
                                there ? "unrestricted" : "none",
                                "spring.jmx.enabled",
                                there,
                                "camel.main.jmx-enabled",
                                there)));
    }
}
