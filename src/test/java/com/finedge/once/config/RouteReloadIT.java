package com.finedge.once.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.dev.LocalServices;
import com.finedge.once.support.RunningOnce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.camel.CamelContext;
import org.apache.camel.ServiceStatus;
import org.apache.camel.support.RouteWatcherReloadStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/** What {@code make run} reloads while routes are developed, and what it doesn't look at. */
class RouteReloadIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static Map<String, String> settings(Path folder) throws IOException {
        Map<String, String> settings = new HashMap<>(SERVICES.properties(SERVICES.fresh()));
        Properties development =
                PropertiesLoaderUtils.loadProperties(new ClassPathResource("application-dev.properties"));
        development.stringPropertyNames().stream()
                .filter(name -> name.startsWith("camel."))
                .forEach(name -> settings.put(name, development.getProperty(name)));
        assertThat(settings).containsKey("camel.main.routes-reload-enabled");
        settings.put("once.routes", folder.toString());
        return settings;
    }

    private static String greeting(String words, String begin) {
        return """
                - route:
                    id: greet
                    description: Greets whoever asks.
                    from:
                      id: asked
                      uri: %s
                      steps:
                        - setBody:
                            id: greeting
                            constant: %s
                """.formatted(begin, words);
    }

    private static String greeted(RunningOnce once) {
        return once.bean(CamelContext.class).createProducerTemplate().requestBody("direct:greet", "", String.class);
    }

    @Test
    void aSavedFileIsLoadedAgainAndTheOtherRoutesGoOn(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("greet.camel.yaml"), greeting("good morning", "direct:greet"));
        try (RunningOnce once = RunningOnce.start(settings(folder))) {
            CamelContext camel = once.bean(CamelContext.class);
            assertThat(greeted(once)).isEqualTo("good morning");

            Files.writeString(file, greeting("good night", "direct:greet"));

            await().atMost(LONGEST)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(greeted(once)).isEqualTo("good night"));
            assertThat(camel.getRouteController().getRouteStatus("recover-charge"))
                    .isEqualTo(ServiceStatus.Started);

            // A start would refuse it: its id isn't the file's name, and it isn't described.
            Files.writeString(
                    folder.resolve("unchecked.camel.yaml"),
                    "- route:\n    id: other\n    from:\n      uri: direct:other\n      steps:\n        - log: other\n");

            await().atMost(LONGEST).until(() -> camel.getRoute("other") != null);
        }
    }

    private static long failed(RunningOnce once) {
        return Objects.requireNonNull(once.bean(CamelContext.class).hasService(RouteWatcherReloadStrategy.class))
                .getFailedCounter();
    }

    @Test
    void aSavedFileThatIsNoYamlChangesNothingAndHoldsUpTheReloadUntilItIsRight(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("greet.camel.yaml"), greeting("good morning", "direct:greet"));
        try (RunningOnce once = RunningOnce.start(settings(folder))) {
            CamelContext camel = once.bean(CamelContext.class);
            Files.writeString(file, "- route:\n    id: greet\n   from: here\n");
            await().atMost(LONGEST).until(() -> failed(once) > 0);
            assertThat(greeted(once)).isEqualTo("good morning");

            long before = failed(once);
            Files.writeString(
                    folder.resolve("late.camel.yaml"),
                    greeting("late", "direct:late").replace("id: greet\n", "id: late\n"));
            await().atMost(LONGEST).until(() -> failed(once) > before);
            assertThat(camel.getRoute("late")).isNull();

            Files.writeString(file, greeting("good night", "direct:greet"));
            await().atMost(LONGEST)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(greeted(once)).isEqualTo("good night"));
            assertThat(camel.getRoute("late")).isNotNull();
        }
    }
}
