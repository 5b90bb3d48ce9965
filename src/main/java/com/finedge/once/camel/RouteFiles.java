package com.finedge.once.camel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.NonValidationKeyword;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.spi.ExceptionHandler;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.camel.spi.PollingConsumerPollStrategy;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Checks route files without loading them: against Camel's own schema, against our rules for them, and whether what they
 * name exists.
 */
public final class RouteFiles {

    /** What a route file's name ends in; the rest of it is the route's id. */
    public static final String SUFFIX = ".camel.yaml";

    /** The property functions that routes may use. */
    public static final Set<String> FUNCTIONS = Set.of("queue-url", "seconds", "role", "where-set");

    /**
     * A file as it was read.
     *
     * @param path where it is, by which findings name it
     */
    public record Source(String path, String text) {

        /** Reads one from the disk. */
        public static Source of(Path file) {
            try {
                return new Source(file.toString(), Files.readString(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The name without its folder. */
        public String name() {
            return nameOf(path);
        }
    }

    /**
     * Something that is wrong with a route file.
     *
     * @param line where, from 1
     */
    public record Finding(String file, int line, String problem) {

        @Override
        public String toString() {
            return file + ":" + line + ": " + problem;
        }
    }

    private static final String SCHEMA = "/schema/camelYamlDsl.json";

    /** Children of a step that are nodes of the route, and so have ids. */
    private static final Set<String> CHILDREN =
            Set.of("from", "when", "otherwise", "doCatch", "doFinally", "onFallback");

    /** What {@link SqsEndpointOptions} refuses of an endpoint when it is set. */
    private static final Map<String, String> FORBIDDEN = Map.of(
            "autoCreateQueue", "a mistyped name would make a new queue",
            "extendMessageVisibility", "it ends at its first failure, silently: the heartbeat does it");

    /** What may stand before the step that keeps the message: it leaves headers and body as they came. */
    private static final Set<String> HARMLESS = Set.of("threads", "setVariable", "setProperty", "log");

    private static final Map<String, Class<?>> REFERENCES = Map.of(
            "ref", Object.class,
            "executorService", ExecutorService.class,
            "idempotentRepository", IdempotentRepository.class,
            "pollStrategy", PollingConsumerPollStrategy.class,
            "exceptionHandler", ExceptionHandler.class);

    /** What a file may hold, each with the name of its field that is the route's id. */
    private static final Map<String, String> PARTS =
            Map.of("route", "id", "routeTemplate", "id", "templatedRoute", "routeId");

    private static final Pattern ONE_SENTENCE = Pattern.compile("\\p{Lu}(?:[^.!?]|[.!?](?!\\s|$))*\\.");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^{}]*)}}");
    private static final Pattern DIRECT_IN_PARAMETER = Pattern.compile("(?:^|[^{}]*:)(direct:[^{}]+)");
    private static final Pattern BEAN_IN_SIMPLE = Pattern.compile("\\$\\{bean[:.](?:ref:)?([\\w-]+)");

    private final Function<String, @Nullable Class<?>> beans;
    private final Function<String, @Nullable String> properties;
    private final JsonSchema schema;

    /**
     * @param beans the type of the bean of a name, or null if there is none
     * @param properties the value of a property, or null if it has none
     */
    public RouteFiles(Function<String, @Nullable Class<?>> beans, Function<String, @Nullable String> properties) {
        this.beans = beans;
        this.properties = properties;
        try (InputStream source = Objects.requireNonNull(RouteFiles.class.getResourceAsStream(SCHEMA), SCHEMA)) {
            // The one keyword of Camel's that isn't draft 4: it judges nothing, and would be logged as unknown.
            JsonMetaSchema draft4 = JsonMetaSchema.builder(JsonMetaSchema.getV4())
                    .keyword(new NonValidationKeyword("deprecated"))
                    .build();
            this.schema = JsonSchemaFactory.getInstance(
                            SpecVersion.VersionFlag.V4, factory -> factory.metaSchema(draft4))
                    .getSchema(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** All findings, by file and line. The files are checked as the whole of an application's routes. */
    public List<Finding> check(Collection<Source> files) {
        Check check = new Check();
        files.stream().sorted(Comparator.comparing(Source::path)).forEach(check::file);
        check.together();
        return check.findings.stream()
                .sorted(Comparator.comparing(Finding::file).thenComparingInt(Finding::line))
                .toList();
    }

    /** Of a template: the names of those that must be set, and of all. */
    private record Parameters(Set<String> required, Set<String> all) {

        static Parameters of(YamlTree template) {
            Set<String> required = new TreeSet<>();
            Set<String> all = new TreeSet<>();
            template.field("parameters").map(YamlTree::items).orElse(List.of()).forEach(parameter -> {
                String name = Objects.requireNonNullElse(parameter.textOf("name"), "");
                all.add(name);
                if (parameter.field("defaultValue").isEmpty() && !"false".equals(parameter.textOf("required"))) {
                    required.add(name);
                }
            });
            return new Parameters(required, all);
        }

        boolean fits(Set<String> set) {
            return set.containsAll(required) && all.containsAll(set);
        }

        @Override
        public String toString() {
            Set<String> optional = new TreeSet<>(all);
            optional.removeAll(required);
            return required + (optional.isEmpty() ? "" : ", and perhaps " + optional);
        }
    }

    private final class Check {

        private final List<Finding> findings = new ArrayList<>();
        private final Map<String, Finding> ids = new HashMap<>();
        private final Set<String> directRoutes = new HashSet<>();
        private final List<Finding> directCalls = new ArrayList<>();
        private final Map<String, Parameters> templates = new HashMap<>();
        private final List<Finding> uses = new ArrayList<>();
        private final List<Set<String>> usedParameters = new ArrayList<>();
        private Set<String> templateParameters = Set.of();
        private Source file = new Source("", "");

        private void found(YamlTree where, String problem) {
            found(where.line(), problem);
        }

        private void found(int line, String problem) {
            findings.add(finding(line, problem));
        }

        private Finding finding(int line, String problem) {
            return new Finding(file.path(), line, problem);
        }

        void file(Source source) {
            file = source;
            if (!source.name().endsWith(SUFFIX)) {
                found(1, "is not loaded: its name doesn't end in " + SUFFIX);
            }
            try {
                YamlTree.of(source.text()).ifPresentOrElse(this::document, () -> found(1, "is empty"));
            } catch (MarkedYamlEngineException e) {
                found(e.getProblemMark().map(Mark::getLine).orElse(0) + 1, "is no YAML: " + e.getProblem());
            } catch (YamlEngineException e) {
                found(1, "is no YAML: " + e.getMessage());
            }
        }

        private void document(YamlTree root) {
            if (!root.isList()) {
                found(root, "is no list: Camel ignores such a file");
                return;
            }
            againstSchema(root);
            List<YamlTree> parts = root.items().stream()
                    .flatMap(item -> item.fields().stream())
                    .toList();
            List<YamlTree> routes = parts.stream()
                    .filter(part -> PARTS.containsKey(part.name()))
                    .toList();
            parts.stream()
                    .filter(part -> !PARTS.containsKey(part.name()))
                    .forEach(part -> found(part, "holds something besides its route: " + part.name()));
            if (routes.isEmpty()) {
                found(root, "holds no route");
            }
            routes.stream().skip(1).forEach(route -> found(route, "holds more than one route"));
            routes.forEach(this::route);
        }

        private void againstSchema(YamlTree root) {
            JsonNode json = new ObjectMapper().valueToTree(root.values());
            // Each alternative of a step that doesn't fit has its complaint; the deepest is about what was meant.
            schema.validate(json).stream()
                    .max(Comparator.comparingInt((ValidationMessage message) ->
                                    message.getInstanceLocation().getNameCount())
                            .thenComparing(message -> message.getProperty() != null))
                    .ifPresent(message -> found(at(root, message), "breaks Camel's schema: " + message.getMessage()));
        }

        private static YamlTree at(YamlTree root, ValidationMessage message) {
            JsonNodePath path = message.getInstanceLocation();
            YamlTree node = root;
            for (int i = 0; i < path.getNameCount(); i++) {
                node = path.getElement(i) instanceof Integer index
                        ? node.items().get(index)
                        : node.field(path.getElement(i).toString()).orElseThrow();
            }
            return message.getProperty() == null
                    ? node
                    : node.field(message.getProperty()).orElse(node);
        }

        private void route(YamlTree route) {
            String idField = Objects.requireNonNull(PARTS.get(route.name()));
            String id = route.textOf(idField);
            String stem = file.name().replace(SUFFIX, "");
            if (id == null) {
                found(route, "the route has no id");
            } else {
                if (!id.equals(stem)) {
                    found(route.field(idField).orElseThrow(), "the route's id isn't the file's name: " + id);
                }
                unique(route, id);
            }
            if (route.name().equals("templatedRoute")) {
                fromTemplate(route);
                return;
            }
            templateParameters = parametersOf(route);
            if (route.name().equals("routeTemplate")) {
                templates.put(Objects.requireNonNullElse(id, ""), Parameters.of(route));
            }
            String description = route.textOf("description");
            if (description == null || !ONE_SENTENCE.matcher(description).matches()) {
                found(route.field("description").orElse(route), "the route isn't described in one sentence");
            }
            inside(route);
            templateParameters = Set.of();
        }

        /** The names of the parameters of a template, or of a route that is made from one. */
        private static Set<String> parametersOf(YamlTree route) {
            return route.field("parameters").stream()
                    .flatMap(parameters -> parameters.items().stream())
                    .flatMap(parameter -> Stream.ofNullable(parameter.textOf("name")))
                    .collect(Collectors.toUnmodifiableSet());
        }

        private void fromTemplate(YamlTree route) {
            if (route.textOf("prefixId") == null) {
                found(route, "has no prefixId: its steps would have the ids of another route's");
            }
            uses.add(finding(route.line(), String.valueOf(route.textOf("routeTemplateRef"))));
            usedParameters.add(parametersOf(route));
            for (YamlTree parameter :
                    route.field("parameters").map(YamlTree::items).orElse(List.of())) {
                parameter.field("value").ifPresent(value -> {
                    String text = Objects.requireNonNullElse(value.text(), "");
                    placeholders(value, text);
                    if (text.startsWith("#")) {
                        bean(value, text.replaceFirst("^#(bean:)?", ""), Object.class);
                    }
                    Matcher direct = DIRECT_IN_PARAMETER.matcher(text);
                    if (direct.find()) {
                        directCalls.add(finding(value.line(), direct.group(1)));
                    }
                });
            }
        }

        private void inside(YamlTree parent) {
            for (YamlTree child : parent.fields()) {
                if (child.name().equals("route")) {
                    inside(child);
                } else if (child.name().equals("steps")) {
                    child.items().stream()
                            .flatMap(item -> item.fields().stream())
                            .forEach(this::node);
                } else if (CHILDREN.contains(child.name())) {
                    (child.isList() ? child.items() : List.of(child)).forEach(this::node);
                } else {
                    value(parent, child);
                }
            }
        }

        private void node(YamlTree node) {
            String id = node.textOf("id");
            if (id == null) {
                found(node, node.text() == null ? "has no id" : "has no id: write it in the long form");
            } else {
                unique(node, id);
            }
            switch (node.name()) {
                case "choice" -> choice(node);
                case "from" -> consumer(node);
                case "saga" ->
                    found(
                            node,
                            "Camel's saga is refused: a killed process forgets it; define the steps in a file of sagas/");
                default -> {}
            }
            if (node.text() != null) {
                value(node, node);
            }
            inside(node);
        }

        private void value(YamlTree parent, YamlTree value) {
            if (value.isList()) {
                value.items().forEach(item -> value(value, new YamlTree(value.name(), item.line(), item.node())));
                return;
            }
            String text = value.text();
            if (text == null) {
                inside(value);
                return;
            }
            placeholders(value, text);
            switch (value.name()) {
                case "uri" -> uri(parent, value, text);
                case "exception", "exceptionType" -> throwable(value, text);
                case "beanType" -> method(parent, value, type(value, text));
                default -> reference(parent, value, text);
            }
            Matcher bean = BEAN_IN_SIMPLE.matcher(text);
            while (bean.find()) {
                bean(value, bean.group(1), Object.class);
            }
        }

        private void unique(YamlTree node, String id) {
            Finding first = ids.putIfAbsent(id, finding(node.line(), ""));
            if (first != null) {
                found(node, "the id %s is taken by %s:%s".formatted(id, nameOf(first.file), first.line));
            }
        }

        private void choice(YamlTree choice) {
            List<YamlTree> otherwise = choice.field("otherwise").flatMap(node -> node.field("steps")).stream()
                    .flatMap(steps -> steps.items().stream())
                    .toList();
            if (otherwise.isEmpty()
                    || otherwise.getLast().field("throwException").isEmpty()) {
                found(
                        choice.field("otherwise").orElse(choice),
                        "doesn't end in an otherwise that throws: what nobody thought of would count as done");
            }
        }

        private void consumer(YamlTree from) {
            String uri = from.textOf("uri");
            if (uri == null || !uri.split(":", 2)[0].equals("aws2-sqs")) {
                return;
            }
            for (String option : List.of("deleteAfterRead", "deleteIfFiltered")) {
                YamlTree set = from.field("parameters")
                        .flatMap(parameters -> parameters.field(option))
                        .orElse(null);
                if (set == null || !"false".equals(set.text())) {
                    found(
                            set == null ? from : set,
                            option + " isn't false: the message would be deleted whatever became of it");
                }
            }
            firstSteps(from);
        }

        private void firstSteps(YamlTree from) {
            List<YamlTree> steps = from.field("steps").map(YamlTree::items).orElse(List.of()).stream()
                    .flatMap(item -> item.fields().stream())
                    .toList();
            List<YamlTree> before =
                    steps.stream().takeWhile(step -> !keepsTheMessage(step)).toList();
            if (before.size() < steps.size()) {
                before.stream()
                        .filter(step -> !HARMLESS.contains(step.name()))
                        .forEach(step -> found(
                                step,
                                "stands before the message is kept (bean messages, method received) and may lose it"));
            }
        }

        private static boolean keepsTheMessage(YamlTree step) {
            return step.name().equals("bean")
                    && "messages".equals(step.textOf("ref"))
                    && "received".equals(step.textOf("method"));
        }

        private void sqsOptions(YamlTree endpoint) {
            FORBIDDEN.forEach((option, why) -> endpoint.field("parameters")
                    .flatMap(parameters -> parameters.field(option))
                    .filter(set -> !"false".equals(set.text()))
                    .ifPresent(set -> found(set, option + " is refused: " + why)));
        }

        private void uri(YamlTree parent, YamlTree value, String uri) {
            if (uri.contains("?")) {
                found(value, "has options in the URI: they belong under parameters");
            }
            String endpoint = uri.split("\\?", 2)[0];
            if (endpoint.split(":", 2)[0].equals("aws2-sqs")) {
                sqsOptions(parent);
            }
            if (endpoint.startsWith("direct:")) {
                if (parent.name().equals("from")) {
                    directRoutes.add(endpoint);
                } else {
                    directCalls.add(finding(value.line(), endpoint));
                }
            }
        }

        private void reference(YamlTree parent, YamlTree value, String text) {
            Class<?> type = REFERENCES.get(value.name());
            if (type == null && !(parent.name().equals("parameters") && text.startsWith("#"))) {
                return;
            }
            String name = text.replaceFirst("^#(bean:)?", "");
            Class<?> bean = bean(value, name, type == null ? Object.class : type);
            if (value.name().equals("ref")) {
                method(parent, value, bean);
            }
        }

        private @Nullable Class<?> bean(YamlTree value, String name, Class<?> type) {
            Class<?> bean = beans.apply(name);
            if (bean == null) {
                found(value, "there is no bean " + name);
            } else if (!type.isAssignableFrom(bean)) {
                found(value, "the bean %s is no %s".formatted(name, type.getSimpleName()));
            }
            return bean;
        }

        private void method(YamlTree parent, YamlTree value, @Nullable Class<?> type) {
            if (type == null) {
                return;
            }
            YamlTree named = parent.field("method").orElse(null);
            if (named == null || named.text() == null) {
                found(value, "names no method");
            } else {
                String method = named.text().split("\\(", 2)[0];
                if (Arrays.stream(type.getMethods())
                        .noneMatch(it -> it.getName().equals(method))) {
                    found(named, "%s has no method %s".formatted(type.getSimpleName(), method));
                }
            }
        }

        private void throwable(YamlTree value, String name) {
            Class<?> type = type(value, name);
            if (type != null && !Throwable.class.isAssignableFrom(type)) {
                found(value, name + " is nothing to throw");
            }
        }

        private @Nullable Class<?> type(YamlTree value, String name) {
            try {
                return Class.forName(name, false, RouteFiles.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                found(value, "there is no class " + name);
                return null;
            }
        }

        /** From the inside out: the name of a placeholder may hold another. */
        private void placeholders(YamlTree value, String text) {
            String rest = text;
            for (Matcher inner = PLACEHOLDER.matcher(rest); inner.find(); inner = PLACEHOLDER.matcher(rest)) {
                rest = inner.replaceFirst(Matcher.quoteReplacement(placeholder(value, inner.group(1))));
            }
        }

        private String placeholder(YamlTree value, String content) {
            String[] parts = content.split(":", 2);
            if (parts.length == 2) {
                if (!FUNCTIONS.contains(parts[0])) {
                    found(
                            value,
                            properties.apply(parts[0]) == null
                                    ? "there is no property function " + parts[0]
                                    : "the property %s has a default of its own here".formatted(parts[0]));
                }
                return parts[1];
            }
            if (templateParameters.contains(content)) {
                return content;
            }
            String resolved = properties.apply(content);
            if (resolved == null) {
                found(value, "there is no property " + content);
                return "";
            }
            return resolved;
        }

        void together() {
            for (int i = 0; i < uses.size(); i++) {
                Finding use = uses.get(i);
                Parameters parameters = templates.get(use.problem);
                if (parameters == null) {
                    findings.add(new Finding(use.file, use.line, "there is no template " + use.problem));
                } else if (!parameters.fits(usedParameters.get(i))) {
                    findings.add(new Finding(
                            use.file, use.line, "doesn't set the parameters of its template: " + parameters));
                }
            }
            directCalls.stream()
                    .filter(call -> !directRoutes.contains(call.problem))
                    .map(call -> new Finding(call.file, call.line, "no route begins with " + call.problem))
                    .forEach(findings::add);
        }
    }
}
