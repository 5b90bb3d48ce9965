package com.finedge.once.config;

import com.finedge.once.camel.RouteFiles;
import com.finedge.once.camel.RouteFiles.Finding;
import com.finedge.once.camel.RouteFiles.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Route files on disk: they are added to those of the jar, and replace those of their names. */
record RouteFolder(Path path) {

    /** @throws StartRefusedException if there is no such folder */
    RouteFolder {
        Checks.refuse(!Files.isDirectory(path), "there is no folder %s (once.routes)", path);
    }

    /**
     * Its files, with every suffix of YAML, so that a mistyped one is found. A mounted ConfigMap holds each file twice: in
     * a folder with a dot before its name, and as a link beside it; only the links are read.
     */
    List<Path> files() {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.filter(file -> !name(file).startsWith("."))
                    .filter(file -> name(file).matches(".+\\.ya?ml"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a file of that name is here, and so replaces that of the jar. */
    Set<String> names() {
        return files().stream().map(RouteFolder::name).collect(Collectors.toUnmodifiableSet());
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    /** What is wrong with its files among those of the jar that it doesn't replace. */
    List<Finding> findings(RouteFiles check, Collection<Source> ofTheJar) {
        Set<String> replaced = names();
        return check.check(Stream.concat(
                        ofTheJar.stream().filter(source -> !replaced.contains(source.name())),
                        files().stream().map(Source::of))
                .toList());
    }

    /** @throws StartRefusedException with the first finding, if there is one, and how many more there are */
    static void refuse(List<Finding> findings) {
        if (findings.isEmpty()) {
            return;
        }
        Finding first = findings.getFirst();
        int more = findings.size() - 1;
        Checks.refuse(
                true,
                "%s:%s is refused (once.routes): %s%s",
                first.file(),
                first.line(),
                first.problem(),
                more == 0 ? "" : "; %s more: make check-routes lists them".formatted(more));
    }
}
