package com.finedge.once.config;

import com.finedge.once.camel.RouteFiles;
import com.finedge.once.camel.RouteFiles.Finding;
import com.finedge.once.camel.RouteFiles.Source;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Checks a folder of route files as a start with {@code once.routes} does, and starts nothing: a team's pipeline needs no
 * queue, table or database for it.
 *
 * <p>Takes the folder, or nothing for the routes of the jar, and settings as {@code --key=value}. Prints a line a problem,
 * {@code file:line: reason}, and last how many files are fine. The exit code is 0 if all are.
 */
public final class CheckRoutes {

    private static final String OF_THE_JAR = "classpath*:routes/*" + RouteFiles.SUFFIX;

    private CheckRoutes() {}

    public static void main(String[] args) {
        // Nothing but the report is printed.
        LoggingSystem.get(CheckRoutes.class.getClassLoader()).beforeInitialize();
        System.exit(run(System.out, args));
    }

    /** The exit code. */
    static int run(PrintStream out, String... args) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(args));
        ConfigDataEnvironmentPostProcessor.applyTo(environment);
        RouteFiles check = new RouteFiles(KnownBeans.of(environment)::get, environment::getProperty);
        List<String> folders =
                Stream.of(args).filter(arg -> !arg.startsWith("--")).toList();
        try {
            return folders.isEmpty()
                    ? report(out, check.check(ofTheJar()), paths(ofTheJar()))
                    : run(out, check, new RouteFolder(Path.of(folders.getFirst())));
        } catch (StartRefusedException e) {
            out.println(e.getMessage());
            return 1;
        }
    }

    private static int run(PrintStream out, RouteFiles check, RouteFolder folder) {
        return report(
                out,
                folder.findings(check, ofTheJar()),
                folder.files().stream().map(Path::toString).collect(Collectors.toSet()));
    }

    private static int report(PrintStream out, List<Finding> findings, Set<String> files) {
        findings.forEach(out::println);
        Set<String> broken = findings.stream().map(Finding::file).collect(Collectors.toSet());
        long fine = files.stream().filter(file -> !broken.contains(file)).count();
        out.printf("%s of %s route files are fine%n", fine, files.size());
        return findings.isEmpty() ? 0 : 1;
    }

    private static Set<String> paths(Collection<Source> sources) {
        return sources.stream().map(Source::path).collect(Collectors.toSet());
    }

    private static List<Source> ofTheJar() {
        try {
            return Stream.of(new PathMatchingResourcePatternResolver().getResources(OF_THE_JAR))
                    .map(CheckRoutes::source)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Source source(Resource resource) {
        try {
            return new Source(
                    "routes/" + Objects.requireNonNull(resource.getFilename()),
                    resource.getContentAsString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
