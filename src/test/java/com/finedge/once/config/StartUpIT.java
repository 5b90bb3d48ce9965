package com.finedge.once.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.finedge.once.dev.LocalServices;
import com.finedge.once.support.RunningOnce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.model.Model;
import org.apache.camel.model.OptionalIdentifiedDefinition;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** A start that could not keep the promises is refused with a sentence that names what is wrong. */
class StartUpIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Map<String, String> GOOD = SERVICES.properties(SERVICES.fresh());

    private static AbstractThrowableAssert<?, ?> refused(String key, String value) {
        Map<String, String> settings = new HashMap<>(GOOD);
        settings.put(key, value);
        return assertThatThrownBy(() -> RunningOnce.start(settings).close())
                .extracting(StartUpIT::refusalIn, InstanceOfAssertFactories.THROWABLE)
                .isInstanceOf(StartRefusedException.class);
    }

    private static Throwable refusalIn(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof StartRefusedException) {
                return cause;
            }
        }
        return e;
    }

    @Test
    void aGoodStartIsNotRefused() {
        try (RunningOnce once = RunningOnce.start(GOOD)) {
            assertThat(once.bean(StartUpChecks.class)).isNotNull();
        }
    }

    @Test
    void aMissingQueueIsNamed() {
        refused("once.charges.queue", "no-such-queue")
                .hasMessageContaining("no queue no-such-queue (once.charges.queue)");
        refused("once.charges.dead-letter-queue", "no-such-dlq")
                .hasMessageContaining("no queue no-such-dlq (once.charges.dead-letter-queue)");
    }

    @Test
    void aMissingTableIsNamed() {
        refused("once.claims.table", "no-such-table")
                .hasMessageContaining("no table no-such-table (once.claims.table)");
    }

    @Test
    void aTableWithAnotherKeyIsRefused() {
        SERVICES.dynamoDb()
                .createTable(request -> request.tableName("with-sort-key")
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .attributeDefinitions(attribute("pk"), attribute("sk"))
                        .keySchema(List.of(key("pk", KeyType.HASH), key("sk", KeyType.RANGE))));

        refused("once.claims.table", "with-sort-key").hasMessageContaining("the partition key pk and no sort key");
    }

    private static AttributeDefinition attribute(String name) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    @Test
    void aBackEndThatCantBeReachedIsNamed() {
        refused("once.aws.dynamodb-endpoint", "http://127.0.0.1:9")
                .hasMessageContaining("DynamoDB in http://127.0.0.1:9 can't be asked");
        refused("once.aws.sqs-endpoint", "http://127.0.0.1:9")
                .hasMessageContaining("SQS in http://127.0.0.1:9 can't be asked");
    }

    @Test
    void claimsThatWouldBeForgottenTooEarlyAreRefused() {
        // ElasticMQ doesn't say how long its queues keep a message, so twice 14 days, and 14 of redrive window.
        refused("once.claims.retention", "42d")
                .hasMessageContaining("once.claims.retention (PT1008H) must exceed PT1008H");
    }

    @Test
    void aDebitThatMayOutlastItsLeaseIsRefused() {
        refused("once.core-banking.read-timeout", "28s").hasMessageContaining("must stay below once.claims.lease");
        refused("once.aws.call-timeout", "30s").hasMessageContaining("must stay below once.claims.lease");
    }

    @Test
    void settingsOutOfRangeAreRefusedByName() {
        refused("once.charges.visibility", "1500ms").hasMessageContaining("once.charges.visibility");
        refused("once.charges.poll-wait", "21s").hasMessageContaining("once.charges.poll-wait");
        refused("once.claims.lease", "0s").hasMessageContaining("once.claims.lease");
        refused("once.charges.max-back-off", "1s").hasMessageContaining("once.charges.max-back-off");
    }

    @Test
    void aStartWithoutRoutesIsRefused() {
        refused("camel.main.routes-include-pattern", "classpath:no-such-folder/*.yaml")
                .hasMessageContaining(
                        "the routes [dead-letter-message, defer-message, delete-message, recover-charge] are missing (0");
    }

    @Test
    void aStartWithoutOneOfItsRoutesIsRefused(@TempDir Path folder) throws Exception {
        for (String route : new String[] {"recover-charge", "delete-message", "dead-letter-message"}) {
            Files.copy(
                    Path.of("src/main/resources/routes", route + ".camel.yaml"), folder.resolve(route + ".camel.yaml"));
        }

        refused("camel.main.routes-include-pattern", "file:" + folder + "/*.yaml")
                .hasMessageContaining("the routes [defer-message] are missing (3 were found)");
    }

    @Test
    void aConsumerThatDeletesIsRefused(@TempDir Path folder) throws Exception {
        Path bad = Files.writeString(folder.resolve("bad.camel.yaml"), """
                - route:
                    id: eager
                    from:
                      uri: aws2-sqs:{{once.charges.queue}}
                      steps:
                        - log: received
                """);

        refused("camel.main.routes-include-pattern", "classpath:routes/*.camel.yaml,file:" + bad)
                .hasMessageContaining("route eager: deleteAfterRead must be false on the queue charges");
    }

    @Test
    void anOptionThatAllEndpointsInheritIsRefused() {
        refused("camel.component.aws2-sqs.auto-create-queue", "true")
                .hasMessageContaining("autoCreateQueue=true on the queue charges");
    }

    @Test
    void routesOnDiskReplaceThoseInTheJar(@TempDir Path folder) throws Exception {
        try (var files = Files.list(Path.of("src/main/resources/routes"))) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }
        Map<String, String> settings = new HashMap<>(GOOD);
        settings.put("camel.main.routes-include-pattern", "file:" + folder + "/*.camel.yaml");

        try (RunningOnce once = RunningOnce.start(settings)) {
            assertThat(once.bean(CamelContext.class).getRoutes()).hasSize(5);
        }
    }

    private static Path copied(Path folder, String route) throws IOException {
        return Files.copy(
                Path.of("src/main/resources/routes", route + ".camel.yaml"), folder.resolve(route + ".camel.yaml"));
    }

    @Test
    void aBrokenFileOfTheFolderIsRefusedWithFileAndLine(@TempDir Path folder) throws Exception {
        Path changed = copied(folder, "recover-charge");
        String text = Files.readString(changed);
        Files.writeString(changed, text.replace("method: debit\n", "method: debbit\n"));
        long line = text.substring(0, text.indexOf("method: debit\n")).lines().count();

        refused("once.routes", folder.toString())
                .hasMessage(changed + ":" + line + " is refused (once.routes): ChargeSteps has no method debbit");
    }

    /** Camel would load it, or stop with a stack trace of its own parser. */
    @Test
    void aFileThatIsNoRouteAtAllIsRefusedWithFileAndLine(@TempDir Path folder) throws Exception {
        Path broken = Files.writeString(folder.resolve("more.camel.yaml"), "- route:\n    id: more\n   from: here\n");

        refused("once.routes", folder.toString())
                .hasMessageStartingWith(broken + ":3 is refused (once.routes): is no YAML");
    }

    /** A file of another role is right, though this process has none of its beans. */
    @Test
    void theFolderReplacesAndAddsAndAChangedFileTakesEffectAtTheNextStart(@TempDir Path folder) throws Exception {
        Path version = Files.createDirectory(folder.resolve("..2026_03_01"));
        Path changed = copied(version, "defer-message");
        copied(version, "take-payment");
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("..2026_03_01"));
        for (String route : List.of("defer-message", "take-payment")) {
            Files.createSymbolicLink(folder.resolve(route + ".camel.yaml"), Path.of("..data", route + ".camel.yaml"));
        }
        Files.writeString(folder.resolve("more.camel.yaml"), """
                - route:
                    id: more
                    description: Is a route of a team.
                    from:
                      id: asked-for-more
                      uri: direct:more
                      steps:
                        - log:
                            id: say-more
                            message: more
                """);
        Map<String, String> settings = new HashMap<>(GOOD);
        settings.put("once.routes", folder.toString());

        try (RunningOnce once = RunningOnce.start(settings)) {
            assertThat(stepsOf(once, "defer-message")).doesNotContain("say-it-is-late");
            assertThat(once.bean(CamelContext.class).getRoutes())
                    .extracting(Route::getId)
                    .containsExactlyInAnyOrder(
                            "recover-charge",
                            "delete-message",
                            "defer-message",
                            "dead-letter-message",
                            "watch-dead-letters",
                            "more");
        }
        String text = Files.readString(changed);
        Files.writeString(
                changed,
                text.replaceFirst(
                        "(?m)^( +)steps:\n",
                        "$1steps:\n$1  - log:\n$1      id: say-it-is-late\n$1      message: late\n"));

        try (RunningOnce once = RunningOnce.start(settings)) {
            assertThat(stepsOf(once, "defer-message")).contains("say-it-is-late");
        }
    }

    private static List<String> stepsOf(RunningOnce once, String route) {
        return once
                .bean(CamelContext.class)
                .getCamelContextExtension()
                .getContextPlugin(Model.class)
                .getRouteDefinition(route)
                .getOutputs()
                .stream()
                .map(OptionalIdentifiedDefinition::getId)
                .toList();
    }

    @Test
    void anUnknownRoleIsRefused() {
        Map<String, String> settings = new HashMap<>(GOOD);
        settings.put("once.roles", "charge-recovery,fortune-telling");

        assertThatThrownBy(() -> RunningOnce.start(settings).close()).hasStackTraceContaining("fortune-telling");
    }
}
