package com.finedge.once.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.dev.LocalServices;
import com.finedge.once.support.ConsoleSession;
import com.finedge.once.support.Operators;
import com.finedge.once.support.RunningOnce;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** Hawtio where the console isn't: only if it is asked for, and without it Camel counts no steps either. */
class HawtioElsewhereIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final MBeanServer MBEANS = ManagementFactory.getPlatformMBeanServer();

    @Test
    void aProcessWithoutTheConsoleHasNothingOfIt() throws JMException {
        Map<String, String> settings = new HashMap<>(SERVICES.properties(SERVICES.fresh()));
        settings.putAll(Operators.SETTINGS);
        settings.put("camel.main.name", "without-hawtio");
        try (RunningOnce without = RunningOnce.start(settings);
                ConsoleSession there = new ConsoleSession(without.managementUrl())) {
            for (String path : List.of(
                    "/actuator/hawtio",
                    "/actuator/hawtio" + "/",
                    "/actuator/hawtio" + "/user",
                    "/actuator/jolokia",
                    "/actuator/jolokia" + "/version")) {
                assertThat(there.get(path, "Authorization", Operators.OPERATOR.basic())
                                .statusCode())
                        .as(path)
                        .isEqualTo(404);
            }
            assertThat(MBEANS.queryNames(new ObjectName("org.apache.camel:context=without-hawtio,*"), null))
                    .isEmpty();
        }
        settings.put("once.hawtio", "true");
        try (RunningOnce with = RunningOnce.start(settings);
                ConsoleSession there = new ConsoleSession(with.managementUrl())) {
            assertThat(there.get("/actuator/hawtio" + "/").statusCode()).isEqualTo(401);
            assertThat(there.get("/actuator/hawtio" + "/", "Authorization", Operators.VIEWER.basic())
                            .body())
                    .contains("<div id=\"root\">");
            assertThat(MBEANS.queryNames(new ObjectName("org.apache.camel:context=without-hawtio,*"), null))
                    .isNotEmpty();
        }
    }
}
