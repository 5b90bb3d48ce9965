package com.finedge.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.dev.Fault;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.support.Events;
import com.finedge.once.support.OnceProcess;
import com.finedge.once.support.Queue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What stands in the log of a process in production. */
class LogLinesIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private static boolean isJson(String line) {
        try {
            return JSON.readTree(line).isObject();
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError(line, e);
        }
    }

    @Test
    void eachLineIsJsonThatNamesItsMessageChargeAndTraceAndNobodysAccount() {
        LocalResources resources = SERVICES.fresh();
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.put("spring.profiles.active", "production");
        settings.put("logging.config", "classpath:logback-as-shipped.xml");
        Queue charges = Queue.named(SERVICES.sqs(), resources.queue());
        Queue deadLetters = Queue.named(SERVICES.sqs(), resources.deadLetterQueue());
        String refused = Events.newChargeId();
        SERVICES.bank().fault(refused, Fault.reject("ACCOUNT_CLOSED"));
        String messageId =
                charges.send(Events.chargeDue(refused), Map.of("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01"));
        // What would be a line of its own, if it came into one.
        String forged = "{\"@timestamp\":\"2026-01-01T00:00:00Z\",\"message\":\"nothing to see here\"}";
        charges.send(
                "{\"chargeId\":\"x\\n" + forged.replace("\"", "\\\"") + "\"}\n" + forged,
                Map.of("type", "x\n" + forged));

        try (OnceProcess once = OnceProcess.start(settings).awaitStart()) {
            await().atMost(Duration.ofSeconds(60)).until(() -> charges.size() == 0 && deadLetters.size() == 2);
            assertThat(once.terminate()).isIn(0, 143);

            // The JVM's own warnings come before the first line of ours.
            List<String> lines =
                    once.lines().stream().dropWhile(line -> !isJson(line)).toList();
            assertThat(lines).isNotEmpty().allMatch(LogLinesIT::isJson);
            assertThat(lines).noneMatch(line -> line.contains("ACC-42") || line.contains("nothing to see"));
            assertThat(lines).noneMatch(line -> line.contains("19.90"));
            List<JsonNode> ofTheRefused = lines.stream()
                    .map(LogLinesIT::json)
                    .filter(line -> line.path("messageId").asText().equals(messageId))
                    .toList();
            assertThat(ofTheRefused).isNotEmpty();
            assertThat(ofTheRefused)
                    .filteredOn(line -> line.path("message").asText().contains("dead-letter queue"))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.path("chargeId").asText()).isEqualTo(refused);
                        assertThat(line.at("/trace/id").asText()).isEqualTo(TRACE);
                    });
        }
    }

    @Test
    void aCollectorThatIsGoneHoldsUpNothingAndLinesNameTheirSpanToo() {
        LocalResources resources = SERVICES.fresh();
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.put("spring.profiles.active", "production");
        settings.put("logging.config", "classpath:logback-as-shipped.xml");
        settings.put("management.otlp.tracing.endpoint", "http://127.0.0.1:1/v1/traces");
        settings.put("management.tracing.opentelemetry.export.schedule-delay", "100ms");
        Queue charges = Queue.named(SERVICES.sqs(), resources.queue());
        String refused = Events.newChargeId();
        SERVICES.bank().fault(refused, Fault.reject("ACCOUNT_CLOSED"));
        charges.send(Events.chargeDue(refused), Map.of("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01"));

        // As the image is started: OpenTelemetry's queue makes the JVM warn of what it is built on, in lines that are
        // no JSON.
        try (OnceProcess once = OnceProcess.start(settings, "-Dsun.misc.unsafe.memory.access=allow")
                .awaitStart()) {
            await().atMost(Duration.ofSeconds(60)).until(() -> once.said("Failed to export spans"));
            await().atMost(Duration.ofSeconds(60)).until(() -> charges.size() == 0);
            assertThat(once.terminate()).isIn(0, 143);

            List<JsonNode> lines = once.lines().stream()
                    .dropWhile(line -> !isJson(line))
                    .map(LogLinesIT::json)
                    .toList();
            assertThat(lines)
                    .filteredOn(line -> line.path("message").asText().contains("dead-letter queue"))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.at("/trace/id").asText()).isEqualTo(TRACE);
                        assertThat(line.at("/span/id").asText()).matches("[0-9a-f]{16}");
                        assertThat(line.path("chargeId").asText()).isEqualTo(refused);
                    });
        }
    }
}
