package com.finedge.once.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The jar that other teams depend on, as {@code mvn package} has made it. */
class ContractJarIT {

    private static final Path BUILT = Path.of("target/contract");
    private static final Path JAR = BUILT.resolve("once-contract.jar");
    private static final Path CLASSES = Path.of("target/classes");
    private static final Path CONSUMER = Path.of("src/test/resources/contract/consumer");

    @TempDir
    private Path work;

    @Test
    void aTeamCompilesAndRunsAgainstTheJarAlone() throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("-Xlint:all", "-Werror", "--release", "21", "-cp", JAR.toString(), "-d", work.toString()));
        below(CONSUMER, "")
                .forEach(source -> arguments.add(CONSUMER.resolve(source).toString()));

        assertThat(tool("javac", arguments)).isEmpty();
        assertThat(run(JAR + File.pathSeparator + work, "Consumer"))
                .containsExactly(
                        "CHG-1001 ACC-42 19.90 EUR 2026-03-01T10:00:00Z",
                        "CHG-1001 DEBITED DBT-77",
                        "CHG-1002 INSUFFICIENT_FUNDS rejected by the bank",
                        "INVALID_VALUE accountId",
                        "{");
    }

    /** Not even an annotation that no one reads. */
    @Test
    void itsClassesNameNothingOutsideTheBaseOfTheJdk() {
        assertThat(tool("jdeps", List.of("--print-module-deps", JAR.toString())))
                .isEqualToIgnoringNewLines("java.base");
    }

    @Test
    void theJarHasTheContractAndNothingElse() throws IOException {
        Set<String> contract = below(CLASSES, "com/finedge/once/contract", "contract");

        assertThat(contract)
                .contains("com/finedge/once/contract/ChargeDueEvent.class", "contract/charge-due-event.v1.schema.json");
        assertThat(entries(JAR)).isEqualTo(with("META-INF/MANIFEST.MF", contract));
    }

    @Test
    void theSourcesAreThoseOfTheContract() throws IOException {
        Set<String> sources = below(Path.of("src/main/java"), "com/finedge/once/contract");
        sources.addAll(below(Path.of("src/main/resources"), "contract"));

        assertThat(entries(BUILT.resolve("once-contract-sources.jar")))
                .isEqualTo(with("META-INF/MANIFEST.MF", sources));
    }

    @Test
    void thePomHasItsOwnCoordinatesAndBringsNothing() throws Exception {
        Element pom = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(BUILT.resolve("pom.xml").toFile())
                .getDocumentElement();
        List<String> elements = new ArrayList<>();
        for (Node child = pom.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element) {
                elements.add(child.getNodeName());
            }
        }

        assertThat(elements)
                .containsExactly("modelVersion", "groupId", "artifactId", "version", "name", "description", "licenses");
        assertThat(text(pom, "groupId")).isEqualTo("com.finedge");
        assertThat(text(pom, "artifactId")).isEqualTo("once-contract");
        assertThat(text(pom, "version")).isEqualTo(projectVersion());
    }

    /** What a tool of the JDK says. */
    private static String tool(String name, List<String> arguments) {
        StringWriter said = new StringWriter();
        PrintWriter output = new PrintWriter(said);
        int code = ToolProvider.findFirst(name).orElseThrow().run(output, output, arguments.toArray(String[]::new));
        return code == 0 ? said.toString() : name + " ended with " + code + ": " + said;
    }

    private List<String> run(String classPath, String main) throws IOException, InterruptedException {
        Path output = work.resolve("output.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath, main)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, SECONDS)).as("it ends").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(output);
    }

    private static Set<String> entries(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Set<String> names = new TreeSet<>();
            for (ZipEntry entry : Collections.list(file.entries())) {
                if (!entry.isDirectory()) {
                    names.add(entry.getName());
                }
            }
            return names;
        }
    }

    private static Set<String> below(Path root, String... directories) throws IOException {
        Set<String> names = new TreeSet<>();
        for (String directory : directories) {
            try (Stream<Path> files = Files.walk(root.resolve(directory))) {
                files.filter(Files::isRegularFile)
                        .map(file -> root.relativize(file).toString().replace(File.separatorChar, '/'))
                        .forEach(names::add);
            }
        }
        return names;
    }

    private static Set<String> with(String name, Set<String> names) {
        Set<String> all = new TreeSet<>(names);
        all.add(name);
        return all;
    }

    private static String text(Element pom, String name) {
        return pom.getElementsByTagName(name).item(0).getTextContent();
    }

    private static String projectVersion() throws IOException {
        Properties build = new Properties();
        try (InputStream file = Files.newInputStream(CLASSES.resolve("META-INF/build-info.properties"))) {
            build.load(file);
        }
        return build.getProperty("build.version");
    }
}
