package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.OnceApplication;
import com.finedge.once.camel.RouteFiles.Finding;
import com.finedge.once.camel.RouteFiles.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.annotation.ClassPathBeanDefinitionScanner;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.ConfigurationClassPostProcessor;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySourcesPropertyResolver;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/** The route files are right, and the check that says so finds what is wrong. */
class RouteFilesTest {

    private static final Path ROUTES = Path.of("src/main/resources/routes");
    private static final Path BROKEN = Path.of("src/test/resources/routes-broken");
    private static final String CONFIGURATION = OnceApplication.class.getPackageName() + ".config";

    /** On the line of the finding, what it must say; several apart by a bar. */
    private static final Pattern EXPECTED = Pattern.compile("# finds: (.+)$");

    private static final RouteFiles ROUTE_FILES = new RouteFiles(beansOf(CONFIGURATION)::get, RouteFilesTest::property);

    /** The types of the beans, from their definitions, those of a setting other than the default too: none is made. */
    private static Map<String, Class<?>> beansOf(String configuration) {
        DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("other", Map.of("once.claims.store", "jdbc")));
        new ClassPathBeanDefinitionScanner(factory, true, environment).scan(configuration);
        ConfigurationClassPostProcessor configurations = new ConfigurationClassPostProcessor();
        configurations.setEnvironment(environment);
        configurations.postProcessBeanDefinitionRegistry(factory);
        return Stream.of(factory.getBeanDefinitionNames())
                .filter(name -> factory.getType(name, false) != null)
                .collect(Collectors.toMap(name -> name, name -> factory.getType(name, false)));
    }

    private static MutablePropertySources applicationYaml() {
        MutablePropertySources sources = new MutablePropertySources();
        try {
            new YamlPropertySourceLoader()
                    .load("application.yaml", new ClassPathResource("application.yaml"))
                    .forEach(sources::addLast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sources;
    }

    private static @Nullable String property(String name) {
        return new PropertySourcesPropertyResolver(applicationYaml()).getProperty(name);
    }

    private static List<Path> filesIn(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Source> sources(List<Path> files) {
        return files.stream().map(Source::of).toList();
    }

    @Test
    void theRouteFilesAreRight() {
        List<Path> routes = filesIn(ROUTES);

        assertThat(routes)
                .extracting(file -> file.getFileName().toString())
                .contains(
                        "recover-charge.camel.yaml",
                        "delete-message.camel.yaml",
                        "defer-message.camel.yaml",
                        "dead-letter-message.camel.yaml",
                        "relay-outbox.camel.yaml",
                        "sweep-outbox.camel.yaml",
                        "purge-outbox.camel.yaml",
                        "saga-participant.camel.yaml",
                        "payment-participant.camel.yaml",
                        "take-payment.camel.yaml",
                        "apply-charge-outcome.camel.yaml",
                        "purge-claims.camel.yaml");
        assertThat(ROUTE_FILES.check(sources(routes))).isEmpty();
    }

    /** A team's files stand among ours and keep to the same rules. */
    @Test
    void theFilesOfAStepThatWasAddedAreRight() {
        RouteFiles withTheirBean = new RouteFiles(
                name -> name.equals("fraud")
                        ? FraudSteps.class
                        : beansOf(CONFIGURATION).get(name),
                RouteFilesTest::property);
        List<Path> files = new ArrayList<>(filesIn(ROUTES));
        List<Path> added = filesIn(Path.of("src/test/resources/fraud-check")).stream()
                .filter(file -> file.toString().endsWith(RouteFiles.SUFFIX))
                .toList();
        files.addAll(added);

        assertThat(added).hasSize(3);
        assertThat(withTheirBean.check(sources(files))).isEmpty();
    }

    static List<Path> brokenFiles() {
        return filesIn(BROKEN);
    }

    /** Each stands among the good files, so that what it names of them exists, and is found for nothing else. */
    @ParameterizedTest
    @MethodSource("brokenFiles")
    void whatIsWrongIsFoundWithItsFileAndLine(Path broken) throws IOException {
        List<Path> files = new ArrayList<>(filesIn(ROUTES));
        files.add(broken);
        List<Expected> expected = expectedOf(broken);
        assertThat(expected).as("what the sample says about itself").isNotEmpty();

        List<Finding> findings = ROUTE_FILES.check(sources(files));

        assertThat(findings).allSatisfy(finding -> assertThat(finding.file()).isEqualTo(broken.toString()));
        assertThat(findings).hasSameSizeAs(expected);
        assertThat(expected)
                .allSatisfy(it -> assertThat(findings)
                        .anySatisfy(finding -> assertThat(finding.toString())
                                .startsWith(broken + ":" + it.line() + ": ")
                                .contains(it.problem())));
    }

    private record Expected(int line, String problem) {}

    private static List<Expected> expectedOf(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return IntStream.range(0, lines.size())
                .boxed()
                .flatMap(i -> {
                    Matcher comment = EXPECTED.matcher(lines.get(i));
                    return comment.find()
                            ? Stream.of(comment.group(1).split(" \\| ")).map(problem -> new Expected(i + 1, problem))
                            : Stream.empty();
                })
                .toList();
    }

    /** What the YAML sets for the routes to name is what the records would have had anyway. */
    @Test
    void theDefaultsOfTheYamlAreThoseOfTheRecords() {
        Binder yaml = new Binder(ConfigurationPropertySources.from(applicationYaml()));
        Binder nothing = new Binder(new MapConfigurationPropertySource());
        Map<String, Class<?>> records = propertyRecords();

        assertThat(records).containsKeys("once", "once.charges", "once.claims");
        records.forEach((prefix, type) -> assertThat(yaml.bindOrCreate(prefix, Bindable.of(type)))
                .as(prefix)
                .isEqualTo(nothing.bindOrCreate(prefix, Bindable.of(type))));
    }

    @Test
    void everyPropertyOfTheYamlIsOneOfTheRecords() {
        Set<String> known = propertyRecords().entrySet().stream()
                .flatMap(record -> Stream.of(record.getValue().getRecordComponents())
                        .map(component ->
                                record.getKey() + "." + DataObjectPropertyName.toDashedForm(component.getName())))
                .collect(Collectors.toSet());

        assertThat(applicationYaml().stream()
                        .flatMap(source -> Stream.of(((EnumerablePropertySource<?>) source).getPropertyNames()))
                        .filter(name -> name.startsWith("once.")))
                .isNotEmpty()
                .isSubsetOf(known);
    }

    private static Map<String, Class<?>> propertyRecords() {
        ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
        return scanner.findCandidateComponents(CONFIGURATION).stream()
                .map(BeanDefinition::getBeanClassName)
                .map(name -> ClassUtils.resolveClassName(Objects.requireNonNull(name), null))
                .collect(Collectors.toMap(
                        type -> Objects.requireNonNull(type.getAnnotation(ConfigurationProperties.class))
                                .value(),
                        type -> type));
    }
}
