package com.finedge.once;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.EvaluationResult;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The classes keep within the borders, and each border is one that can be overstepped. */
class ArchitectureTest {

    private static final String ROOT = OnceApplication.class.getPackageName();
    private static final String SAMPLES = ROOT + ".architecture.samples";

    private static final Set<String> CORE =
            Set.of("claim", "effect", "outbox", "inbox", "saga", "audit", "deadletter", "retry");
    private static final Set<String> APPLICATIONS = Set.of("charge", "billing", "order");
    private static final Set<String> EDGES = Set.of("camel", "console", "metrics", "config");
    private static final Set<String> PRESENT = Set.of(
            "claim",
            "effect",
            "outbox",
            "inbox",
            "saga",
            "audit",
            "deadletter",
            "retry",
            "contract",
            "charge",
            "billing",
            "order",
            "adapter",
            "camel",
            "console",
            "metrics",
            "config");

    private static final JavaClasses APPLICATION = new ClassFileImporter().importPath(applicationClasses());
    private static final JavaClasses VIOLATIONS = new ClassFileImporter().importPackages(SAMPLES);

    /** By place, not by name: the test classes have the same packages. */
    private static Path applicationClasses() {
        try {
            return Path.of(OnceApplication.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theApplicationKeepsWithin(Border border) {
        border.rule(ROOT).check(APPLICATION);
    }

    @ParameterizedTest
    @EnumSource
    void aViolationIsFoundOf(Border border) {
        EvaluationResult result = border.rule(SAMPLES).evaluate(VIOLATIONS);

        String report = String.join("\n", result.getFailureReport().getDetails());
        assertThat(border.violations())
                .isNotEmpty()
                .allSatisfy(violation -> assertThat(report).contains(violation));
    }

    @Test
    void onlyTheClassesOfTheApplicationAreJudged() {
        assertThat(APPLICATION.contain(OnceApplication.class)).isTrue();
        assertThat(APPLICATION.contain(ArchitectureTest.class)).isFalse();
    }

    /** A package outside the layout would be outside the rules too. */
    @Test
    void everyPackageHasItsPlaceInTheLayout() {
        JavaPackage root = APPLICATION.getPackage(ROOT);
        Set<String> layout = new TreeSet<>(CORE);
        layout.add("contract");
        layout.addAll(APPLICATIONS);
        layout.add("adapter");
        layout.addAll(EDGES);

        assertThat(namesBelow(root)).isSubsetOf(layout).containsAll(PRESENT);
        assertThat(root.getClasses()).extracting("simpleName").containsOnly("OnceApplication", "package-info");
        assertThat(APPLICATION.getPackage(ROOT + ".adapter").getClasses())
                .as("an adapter is a package of its own")
                .isEmpty();
    }

    private static Set<String> namesBelow(JavaPackage parent) {
        return parent.getSubpackages().stream()
                .map(child -> child.getName().substring(parent.getName().length() + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
