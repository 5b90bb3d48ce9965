package com.finedge.once;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_FIELD_INJECTION;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * The borders between the packages. Each one names what its samples of violation must be found for: a rule whose target
 * doesn't exist, or whose name has a typo, would pass without a word.
 */
enum Border {
    CORE_IS_FREE_OF_FRAMEWORKS(
            root -> classes()
                    .that()
                    .resideInAnyPackage(core(root))
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(and(core(root), "java..", "org.jspecify..", "org.slf4j.."))
                    .because("the core must work in any framework, and be readable without knowing one"),
            "claim.SeesSpring",
            "claim.SeesAnApplication",
            "effect.SeesJackson",
            "outbox.SeesJdbcTemplate",
            "audit.SeesJdbcTemplate",
            "deadletter.SeesAws",
            "deadletter.SeesTheCharges"),

    CONTRACT_STANDS_ALONE(
            root -> classes()
                    .that()
                    .resideInAPackage(root + ".contract..")
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(root + ".contract..", "java..")
                    .because("it is published as a jar without dependencies"),
            "contract.package-info",
            "contract.SeesSlf4j",
            "contract.SeesTheCore"),

    APPLICATIONS_SEE_ONLY_CORE_AND_CONTRACT(
            root -> classes()
                    .that()
                    .resideInAnyPackage(applications(root))
                    .should()
                    .onlyDependOnClassesThat(DescribedPredicate.or(
                            JavaClass.Predicates.resideInAnyPackage(and(applications(root), core(root))),
                            JavaClass.Predicates.resideInAnyPackage(root + ".contract..", "org.jspecify.."),
                            JavaClass.Predicates.resideInAPackage("java..")
                                    .and(JavaClass.Predicates.resideOutsideOfPackages("java.sql..", "java.net.http.."))
                                    .as("reside in java.* without databases and HTTP")))
                    .because("a business rule is no place for a technology"),
            "charge.SeesCamel",
            "charge.SeesAws",
            "charge.SeesJdbc",
            "charge.SeesSpring",
            "charge.SeesJackson",
            "charge.SeesAnAdapter",
            "billing.SeesHttp",
            "billing.SeesSpringsTransactions"),

    ADAPTERS_DO_NOT_KNOW_EACH_OTHER(
            root -> SlicesRuleDefinition.slices()
                    .matching(root + ".adapter.(*)..")
                    .should()
                    .notDependOnEachOther()
                    .because("each adapter is one technology and can go on its own"),
            "adapter.sqs.SeesAnotherAdapter",
            "adapter.web.SeesTheStore"),

    ADAPTERS_DO_NOT_KNOW_THE_EDGES(
            root -> noClasses()
                    .that()
                    .resideInAPackage(root + ".adapter..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(root + ".camel..", root + ".config..", root + ".metrics..", root + ".console..")
                    .because("an adapter is used by the edges"),
            "adapter.sqs.SeesTheRoutesSteps",
            "adapter.sqs.SeesTheConfiguration",
            "adapter.sqs.SeesTheMeters"),

    CAMEL_IS_SEEN_BY_ITS_PACKAGE_AND_THE_CONFIGURATION(
            root -> noClasses()
                    .that()
                    .resideOutsideOfPackages(root + ".camel..", root + ".config..")
                    .and()
                    .doNotHaveFullyQualifiedName(root + ".OnceApplication")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.apache.camel..")
                    .because("the flow is in the routes, the rules are not"),
            "charge.SeesCamel",
            "metrics.SeesCamel",
            "adapter.sqs.SeesCamel"),

    NOTHING_KNOWS_THE_CONFIGURATION(
            root -> noClasses()
                    .that()
                    .resideOutsideOfPackage(root + ".config..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(root + ".config..")
                    .because("what a class needs is handed to it"),
            "adapter.sqs.SeesTheConfiguration",
            "camel.SeesTheConfiguration"),

    MICROMETER_IS_SEEN_BY_THE_METERS_AND_THE_CONFIGURATION(
            root -> noClasses()
                    .that()
                    .resideOutsideOfPackages(root + ".metrics..", root + ".config..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.micrometer..")
                    .because("whoever has something to count tells a listener"),
            "claim.SeesMicrometer",
            "camel.SeesMicrometer"),

    OPENTELEMETRY_IS_SEEN_BY_ITS_ADAPTER_AND_THE_CONFIGURATION(
            root -> noClasses()
                    .that()
                    .resideOutsideOfPackages(root + ".adapter.opentelemetry..", root + ".config..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("io.opentelemetry..")
                    .because("what a span may say is decided in one place"),
            "camel.SeesOpenTelemetry"),

    TIME_AND_IDS_ARE_INJECTED(
            root -> noClasses()
                    .that()
                    .resideOutsideOfPackage(root + ".config..")
                    .should()
                    .accessTargetWhere(describe("time, ids or chance are taken from the surroundings", Border::ambient))
                    .because("a test must be able to set them"),
            "Instant.now(",
            "LocalDate.now(",
            "System.currentTimeMillis(",
            "System.nanoTime(",
            "Clock.systemUTC(",
            "InstantSource.system(",
            "UUID.randomUUID(",
            "ThreadLocalRandom.current(",
            "Math.random(",
            "Random.<init>(",
            "SecureRandom.<init>(",
            "SplittableRandom.<init>(",
            "claim.TakesTimeAndIdsByReference.clock(",
            "claim.TakesTimeAndIdsByReference.ids("),

    NAMES_SAY_WHAT_A_CLASS_IS(
            root -> noClasses()
                    .should()
                    .haveNameMatching(".*(Impl|Manager|Helper|Utils?)")
                    .because("such a name says that nobody knew what the class is"),
            "naming.Names$ClaimsImpl",
            "naming.Names$ClaimManager",
            "naming.Names$ClaimHelper",
            "naming.Names$ClaimUtil",
            "naming.Names$ClaimUtils"),

    EVERY_PACKAGE_IS_NULL_MARKED(
            // The contract can't see the annotation. Its nulls are checked all the same, by the name of its package.
            root -> classes()
                    .that()
                    .resideOutsideOfPackage(root + ".contract..")
                    .should(resideInANullMarkedPackage())
                    .because("null is checked by the compiler"),
            "unmarked.Unmarked"),

    DEPENDENCIES_COME_THROUGH_THE_CONSTRUCTOR(
            root -> CompositeArchRule.of(NO_CLASSES_SHOULD_USE_FIELD_INJECTION)
                    .and(noFields()
                            .should()
                            .beAnnotatedWith(describe("an injecting annotation of Camel", Border::injectsByCamel))
                            .because("an object is whole once it is made")),
            "injection.FieldInjection.bySpring",
            "injection.FieldInjection.valueBySpring",
            "injection.FieldInjection.byJakarta",
            "injection.FieldInjection.byCamel",
            "injection.FieldInjection.propertyByCamel",
            "injection.FieldInjection.endpointByCamel");

    private static final Set<String> CAMEL_INJECTION = Set.of(
            "org.apache.camel.BeanInject",
            "org.apache.camel.BeanConfigInject",
            "org.apache.camel.PropertyInject",
            "org.apache.camel.EndpointInject",
            "org.apache.camel.Produce");

    private static final Map<String, Set<String>> AMBIENT = Map.of(
            "java.lang.System", Set.of("currentTimeMillis", "nanoTime"),
            "java.lang.Math", Set.of("random"),
            "java.time.InstantSource", Set.of("system"),
            "java.util.UUID", Set.of("randomUUID"),
            "java.util.concurrent.ThreadLocalRandom", Set.of("current"));

    private static final Set<String> MADE_OF_NOTHING =
            Set.of("java.util.Random", "java.util.SplittableRandom", "java.security.SecureRandom");

    @SuppressWarnings("ImmutableEnumChecker") // the rules keep no state
    private final Function<String, ArchRule> rule;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
    private final List<String> violations;

    Border(Function<String, ArchRule> rule, String... violations) {
        this.rule = rule;
        this.violations = List.of(violations);
    }

    /** @param root the package that has the layout below it: the application's own, or that of the samples */
    ArchRule rule(String root) {
        return rule.apply(root).as(name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    /** What the rule must name when it judges the samples. */
    List<String> violations() {
        return violations;
    }

    /** Most of them don't exist yet; the rules bind them from their first class on. */
    private static String[] core(String root) {
        return below(root, "claim", "effect", "outbox", "inbox", "saga", "audit", "deadletter", "retry");
    }

    private static String[] applications(String root) {
        return below(root, "charge", "billing", "order");
    }

    private static String[] below(String root, String... names) {
        return Arrays.stream(names).map(name -> root + "." + name + "..").toArray(String[]::new);
    }

    private static String[] and(String[] some, String... more) {
        return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
    }

    private static boolean injectsByCamel(JavaAnnotation<?> annotation) {
        return CAMEL_INJECTION.contains(annotation.getRawType().getName());
    }

    /** Not where a clock is handed in, nor where a random generator is given its seed. */
    private static boolean ambient(JavaAccess<?> access) {
        if (!(access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target)) {
            return false;
        }
        String owner = target.getOwner().getName();
        String name = target.getName();
        List<String> parameters =
                target.getRawParameterTypes().stream().map(JavaClass::getName).toList();
        return switch (name) {
            case "<init>" -> parameters.isEmpty() && MADE_OF_NOTHING.contains(owner);
            case "now" -> owner.startsWith("java.time.") && !parameters.contains("java.time.Clock");
            default ->
                AMBIENT.getOrDefault(owner, Set.of()).contains(name)
                        || (owner.equals("java.time.Clock") && name.startsWith("system"));
        };
    }

    private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
        return new ArchCondition<>("reside in a package that is @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                events.add(new SimpleConditionEvent(
                        type,
                        type.getPackage().isAnnotatedWith(NullMarked.class),
                        type.getName() + " is in " + type.getPackageName() + ", which isn't @NullMarked"));
            }
        };
    }
}
