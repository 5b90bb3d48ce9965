package com.finedge.once.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code make check-routes} prints, and its exit code. */
class CheckRoutesTest {

    private static final Path SHIPPED = Path.of("src/main/resources/routes");
    private static final String SOURCES = "--spring.main.sources=com.acme.vouchers.IssueVouchers";

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    private Path root;

    private Path folder;

    @BeforeEach
    void makeTheFolder() throws IOException {
        folder = Files.createDirectory(root.resolve("routes"));
    }

    private int check(String... args) {
        return CheckRoutes.run(new PrintStream(printed, true, StandardCharsets.UTF_8), args);
    }

    private List<String> lines() {
        return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(Files.readString(Path.of("docs/your-own-route.md")))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    private Path copied(String route) throws IOException {
        return Files.copy(SHIPPED.resolve(route), folder.resolve(route));
    }

    @Test
    void theRoutesOfTheJarAreFine() throws IOException {
        long files;
        try (var all = Files.list(SHIPPED)) {
            files = all.count();
        }

        assertThat(check()).isZero();
        assertThat(lines()).containsExactly("%s of %s route files are fine".formatted(files, files));
    }

    @Test
    void theirFolderIsFineToo() {
        assertThat(check(SHIPPED.toString())).isZero();
        assertThat(lines()).last().asString().matches("(\\d+) of \\1 route files are fine");
    }

    @Test
    void theFileOfTheTutorialIsFineAndTheOutputIsWhatTheTutorialShows() throws IOException {
        Path file = folder.resolve("issue-vouchers.camel.yaml");
        String yaml = blocks("yaml").getFirst();
        Files.writeString(file, yaml);

        assertThat(check(folder.toString(), SOURCES)).isZero();
        assertThat(lines()).containsExactly("1 of 1 route files are fine");

        printed.reset();
        Files.writeString(file, yaml.replace("#vouchers", "#voucherz"));

        assertThat(check(folder.toString(), SOURCES)).isOne();
        assertThat(lines()).containsExactly(file + ":6: there is no bean voucherz", "0 of 1 route files are fine");
        String shown = Files.readString(Path.of("docs/your-own-route.md"));
        assertThat(shown)
                .contains("```\n1 of 1 route files are fine\n```")
                .contains("```\n" + String.join("\n", lines()).replace(root + "/", "") + "\n```");
    }

    @Test
    void aCopiedRouteWithABrokenStepIsOneLineWithItsFileAndLine() throws IOException {
        Path changed = copied("recover-charge.camel.yaml");
        copied("delete-message.camel.yaml");
        String text = Files.readString(changed);
        Files.writeString(changed, text.replace("method: debit\n", "method: debbit\n"));
        long line = text.substring(0, text.indexOf("method: debit\n")).lines().count();

        assertThat(check(folder.toString())).isOne();
        assertThat(lines())
                .containsExactly(
                        changed + ":" + line + ": ChargeSteps has no method debbit", "1 of 2 route files are fine");
    }

    @Test
    void whatAFileTakesFromTheOthersIsFoundInThem() throws IOException {
        Path changed = copied("defer-message.camel.yaml");
        Files.writeString(changed, Files.readString(changed).replace("direct:defer-message", "direct:put-off-message"));

        assertThat(check(folder.toString())).isOne();
        assertThat(lines())
                .anyMatch(line -> line.matches(
                        "routes/recover-charge.camel.yaml:\\d+: no route begins with direct:defer-message"));
    }

    @Test
    void aPropertyIsThereWhereTheTeamSetsIt() throws IOException {
        Files.writeString(
                folder.resolve("issue-vouchers.camel.yaml"),
                blocks("yaml").getFirst().replace("value: vouchers}", "value: \"{{vouchers.queue}}\"}"));

        assertThat(check(folder.toString(), SOURCES)).isOne();
        assertThat(lines())
                .first()
                .asString()
                .endsWith("issue-vouchers.camel.yaml:5: there is no property vouchers.queue");

        printed.reset();
        assertThat(check(folder.toString(), SOURCES, "--vouchers.queue=vouchers"))
                .isZero();
    }

    @Test
    void aMountedConfigMapIsReadOnce() throws IOException {
        Path version = Files.createDirectory(folder.resolve("..2026_03_01"));
        Files.copy(SHIPPED.resolve("defer-message.camel.yaml"), version.resolve("defer-message.camel.yaml"));
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026_03_01"));
        Files.createSymbolicLink(
                folder.resolve("defer-message.camel.yaml"), Path.of("..data/defer-message.camel.yaml"));

        assertThat(check(folder.toString())).isZero();
        assertThat(lines()).containsExactly("1 of 1 route files are fine");
    }

    @Test
    void aMistypedSuffixIsFoundAndWhatIsNoYamlIsNobodysBusiness() throws IOException {
        Path wrong = folder.resolve("defer-message.camel.yml");
        Files.copy(SHIPPED.resolve("defer-message.camel.yaml"), wrong);
        Files.writeString(folder.resolve("README.md"), "ours");

        assertThat(check(folder.toString())).isOne();
        assertThat(lines()).first().asString().contains(":1: is not loaded: its name doesn't end in .camel.yaml");
    }

    @Test
    void aFolderThatIsNotThereIsSaid() {
        assertThat(check(folder.resolve("none").toString())).isOne();
        assertThat(lines()).containsExactly("there is no folder %s (once.routes)".formatted(folder.resolve("none")));
    }
}
