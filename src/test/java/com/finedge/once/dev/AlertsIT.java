package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.finedge.once.metrics.MeterNames;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts are raised by what they are for, and alerts and dashboard ask for meters that there are. */
class AlertsIT {

    private static final Path PROMETHEUS = Path.of("deploy/prometheus");
    private static final Path DASHBOARD = Path.of("deploy/grafana/once.json");
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final int LIMIT_SECONDS = 60;
    private static final Pattern OURS = Pattern.compile("\\bonce_[a-z_]+");

    /** What Prometheus adds to the names of counters, times and timers. */
    private static final Pattern SUFFIX = Pattern.compile("(_seconds)?(_total|_max|_sum|_count|_bucket)?$");

    @TempDir
    Path folder;

    private void promtool(Object... arguments) throws Exception {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":", -1))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, "promtool"))),
                "there is no promtool on the path (Debian's package prometheus)");
        List<String> command = new ArrayList<>(List.of("promtool"));
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        Path output = folder.resolve("promtool");
        Process promtool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(promtool.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(promtool.exitValue()).as(Files.readString(output)).isZero();
    }

    @Test
    void eachAlertIsRaisedByWhatItIsFor() throws Exception {
        promtool("check", "rules", PROMETHEUS.resolve("once.rules.yaml"));
        promtool("test", "rules", PROMETHEUS.resolve("once.rules.test.yaml"));
    }

    /** As a rule each, since that is what promtool reads. */
    @Test
    void eachExpressionOfTheDashboardIsOne() throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
        int number = 0;
        for (String expression : expressions()) {
            rules.append("      - record: once:panel")
                    .append(number++)
                    .append("\n        expr: ")
                    .append(YAML.writeValueAsString(expression.replace("$__rate_interval", "5m"))
                            .replaceFirst("^---\\s*", ""))
                    .append('\n');
        }
        Path file = Files.writeString(folder.resolve("dashboard.yaml"), rules);

        promtool("check", "rules", file);
    }

    @Test
    void eachAlertHasATestAndARunbook() throws Exception {
        String tests = Files.readString(PROMETHEUS.resolve("once.rules.test.yaml"));
        JsonNode rules = YAML.readTree(Files.readString(PROMETHEUS.resolve("once.rules.yaml")))
                .at("/groups/0/rules");
        assertThat(rules).isNotEmpty();
        for (JsonNode rule : rules) {
            String alert = rule.path("alert").asText();
            assertThat(tests).as(alert).contains("alertname: " + alert + "\n");
            String runbook =
                    Files.readString(Path.of(rule.at("/annotations/runbook").asText()));
            assertThat(runbook).as(alert).contains(alert);
        }
    }

    @Test
    void alertsAndDashboardAskForMetersThatThereAre() throws Exception {
        Set<String> meters = new TreeSet<>();
        for (Field field : MeterNames.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                meters.add(String.valueOf(field.get(null)).replace('.', '_'));
            }
        }
        String asked = Files.readString(PROMETHEUS.resolve("once.rules.yaml"), StandardCharsets.UTF_8)
                + String.join("\n", expressions());

        Set<String> names = OURS.matcher(asked)
                .results()
                .map(MatchResult::group)
                .map(name -> SUFFIX.matcher(name).replaceFirst(""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(names).hasSizeGreaterThan(10).isSubsetOf(meters);
    }

    private static List<String> expressions() throws Exception {
        List<String> expressions = new ArrayList<>();
        new ObjectMapper()
                .readTree(Files.readString(DASHBOARD))
                .path("panels")
                .forEach(panel -> panel.path("targets")
                        .forEach(target -> expressions.add(target.path("expr").asText())));
        assertThat(expressions).hasSizeGreaterThan(10);
        return expressions;
    }
}
