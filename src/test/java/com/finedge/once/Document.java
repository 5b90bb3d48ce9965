package com.finedge.once;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** A Markdown document of the project, and what it names that isn't there. */
record Document(Path path, String text) {

    private static final List<Path> TEST_SOURCES = List.of(Path.of("src/test/java"), Path.of("src/bench/java"));
    private static final Path MAIN_SOURCES = Path.of("src/main/java");

    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern LINK = Pattern.compile("\\[[^]\n]*]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");

    private static final Pattern TEST = Pattern.compile("([A-Z]\\w*(?:Test|IT|Contract))(?:\\.([a-z]\\w*))?");
    private static final Pattern FILE =
            Pattern.compile("(?:src|docs|build|\\.ci)/[\\w./-]*|[\\w.-]+\\.(?:md|xml|json|yml|yaml|properties|java)");

    static Document read(Path path) {
        try {
            return new Document(path, Files.readString(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every document there is. */
    static List<Document> all() {
        try (Stream<Path> root = Files.list(Path.of(""));
                Stream<Path> docs = Files.walk(Path.of("docs"))) {
            return Stream.concat(root, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .map(Document::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What stands between backticks in the running text. */
    List<String> code() {
        return found(CODE, FENCED.matcher(text).replaceAll(""));
    }

    /** One sentence for each thing that is named and isn't there. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (String code : code()) {
            if (TEST.matcher(code).matches()) {
                test(code).ifPresent(faults::add);
            } else if (code.contains("{}")) {
                if (!logged(code)) {
                    faults.add("nothing logs " + code);
                }
            } else if (FILE.matcher(code).matches() && !isFile(code)) {
                faults.add("no file " + code);
            }
        }
        for (String target : found(LINK, FENCED.matcher(text).replaceAll(""))) {
            if (!target.matches("[a-z]+:.*") && !leadsSomewhere(target)) {
                faults.add("no target of the link " + target);
            }
        }
        return faults;
    }

    private static Optional<String> test(String reference) {
        MatchResult parts = TEST.matcher(reference).results().findFirst().orElseThrow();
        Class<?> type = testClass(parts.group(1));
        if (type == null) {
            return Optional.of("no test class " + parts.group(1));
        }
        String method = parts.group(2);
        return method == null || isTest(type, method) ? Optional.empty() : Optional.of("no test " + reference);
    }

    private static @Nullable Class<?> testClass(String simpleName) {
        for (Path sources : TEST_SOURCES) {
            for (Path file : below(sources)) {
                if (file.endsWith(simpleName + ".java")) {
                    String name = sources.relativize(file).toString().replace('/', '.');
                    try {
                        return Class.forName(
                                name.substring(0, name.length() - ".java".length()),
                                false,
                                Document.class.getClassLoader());
                    } catch (ClassNotFoundException e) {
                        return null;
                    }
                }
            }
        }
        return null;
    }

    /** Inherited ones too: that is how a contract's tests run. */
    private static boolean isTest(Class<?> type, String method) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Method declared : each.getDeclaredMethods()) {
                if (declared.getName().equals(method) && AnnotationSupport.isAnnotated(declared, Testable.class)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean logged(String format) {
        return below(MAIN_SOURCES).stream().anyMatch(file -> read(file).text().contains("\"" + format + "\""));
    }

    private boolean isFile(String name) {
        return Files.exists(Path.of(name))
                || (name.indexOf('/') < 0
                        && (below(Path.of("src")).stream().anyMatch(file -> file.endsWith(name))
                                || Files.exists(path.resolveSibling(name))));
    }

    private boolean leadsSomewhere(String target) {
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path resolved = file.isEmpty() ? path : path.resolveSibling(file).normalize();
        return Files.exists(resolved) && (hash < 0 || read(resolved).anchors().contains(target.substring(hash + 1)));
    }

    /** The headings as GitHub names them in links. */
    private List<String> anchors() {
        return found(HEADING, FENCED.matcher(text).replaceAll("")).stream()
                .map(heading -> heading.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .toList();
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    private static List<Path> below(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
