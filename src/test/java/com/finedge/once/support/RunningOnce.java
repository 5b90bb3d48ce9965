package com.finedge.once.support;

import com.finedge.once.OnceApplication;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole application in this JVM, on free ports. */
public final class RunningOnce implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private RunningOnce(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts it with these settings, which win over its own. */
    public static RunningOnce start(Map<String, String> settings, Class<?>... more) {
        Map<String, String> quiet = new HashMap<>(Map.of("logging.level.com.finedge.once", "error"));
        quiet.putAll(settings);
        return new RunningOnce(new SpringApplicationBuilder(OnceApplication.class)
                .sources(more)
                .run(arguments(quiet)));
    }

    /** The settings as command-line arguments, with free ports and short polls. */
    static String[] arguments(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "server.address", "127.0.0.1",
                "server.port", "0",
                "management.server.address", "127.0.0.1",
                "management.server.port", "0",
                "once.roles", "charge-recovery",
                "once.charges.poll-wait", "1s"));
        all.putAll(settings);
        return all.entrySet().stream()
                .map(setting -> "--" + setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new);
    }

    /** Where its HTTP API is. */
    public URI url() {
        return URI.create(
                "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    /** Where it is managed. */
    public URI managementUrl() {
        return URI.create("http://127.0.0.1:"
                + context.getEnvironment().getRequiredProperty("local.management.port", Integer.class));
    }

    /** A bean of the application. */
    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** The bean of that name. */
    public <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    /** Stops it as SIGTERM would. */
    @Override
    public void close() {
        context.close();
    }
}
