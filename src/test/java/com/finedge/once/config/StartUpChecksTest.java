package com.finedge.once.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.camel.RouteFiles.Finding;
import com.finedge.once.effect.Effect;
import com.finedge.once.effect.EffectResult;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.RouteDefinition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** What the application refuses to start with, in the sentences that docs/configuration.md quotes. */
class StartUpChecksTest {

    private static final Path DOCUMENT = Path.of("docs/configuration.md");
    private static final String ENCODED = "{bcrypt}$2y$10$" + "x".repeat(53);
    private static final Pattern QUOTED = Pattern.compile("^- `([^`]+)`", Pattern.MULTILINE);

    private static final String ISSUE_VOUCHERS = "/etc/once/routes/issue-vouchers.camel.yaml";

    /** What surrounds the application: four days and fourteen of retention, a proper table, all routes. */
    static final class Surroundings {
        private final Map<String, String> settings = new HashMap<>();
        private final Set<String> routes = Stream.of(Role.values())
                .flatMap(role -> role.routes().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        private List<KeySchemaElement> tableKey = List.of(key("pk", KeyType.HASH));
        private boolean tableThere = true;
        private boolean dynamoDbAnswers = true;
        private boolean queuesThere = true;
        private boolean sqsAnswers = true;
        private @Nullable String alsoSendsTo;
        private boolean sagaOfCamels;
        private @Nullable Integer maxReceiveCount;
        private String movesTo = "charges-dlq";
        private long deadLetterRetention = Duration.ofDays(14).toSeconds();
        private boolean deadLettersMoveOn;
        private @Nullable Integer maxReceiveCountOfVouchers;
        private @Nullable Map<String, Object> effect;
        private List<Finding> inTheFolder = List.of();

        Surroundings with(String name, String value) {
            settings.put(name, value);
            return this;
        }

        Surroundings withoutRoute(String id) {
            routes.remove(id);
            return this;
        }

        Surroundings withoutTable() {
            tableThere = false;
            return this;
        }

        Surroundings withSortKey() {
            tableKey = List.of(key("pk", KeyType.HASH), key("sk", KeyType.RANGE));
            return this;
        }

        Surroundings withoutDynamoDb() {
            dynamoDbAnswers = false;
            return this;
        }

        Surroundings withoutQueues() {
            queuesThere = false;
            return this;
        }

        Surroundings withRouteTo(String uri) {
            alsoSendsTo = uri;
            return this;
        }

        Surroundings withSagaOfCamels() {
            sagaOfCamels = true;
            return this;
        }

        Surroundings withMaxReceiveCount(int count) {
            maxReceiveCount = count;
            return this;
        }

        Surroundings withMovesTo(String deadLetters) {
            movesTo = deadLetters;
            return this;
        }

        Surroundings withDeadLetterRetention(Duration retention) {
            deadLetterRetention = retention.toSeconds();
            return this;
        }

        Surroundings withDeadLettersThatMoveOn() {
            deadLettersMoveOn = true;
            return this;
        }

        Surroundings withEffect(String bean, String scope) {
            effect = Map.of("queue", "vouchers", "effect", bean, "scope", scope);
            return this;
        }

        Surroundings withFolderOfRoutes(Finding... findings) {
            inTheFolder = List.of(findings);
            return this;
        }

        Surroundings withoutSqs() {
            sqsAnswers = false;
            return this;
        }

        void check() throws Exception {
            Binder binder = new Binder(new MapConfigurationPropertySource(settings));
            SqsQueues queues = new SqsQueues(sqs());
            StartUpChecks checks = new StartUpChecks(
                    binder.bindOrCreate("once", OnceProperties.class),
                    binder.bindOrCreate("once.aws", AwsProperties.class),
                    binder.bindOrCreate("once.claims", ClaimsProperties.class),
                    binder.bindOrCreate("once.charges", ChargesProperties.class),
                    binder.bindOrCreate("once.core-banking", CoreBankingProperties.class),
                    binder.bindOrCreate("once.outbox", OutboxProperties.class),
                    binder.bindOrCreate("once.orders", OrdersProperties.class),
                    queues,
                    this::dynamoDb,
                    List.of(new DeadLetterChecks(
                            WatchedQueues.of(
                                    Set.of(Role.CHARGE_RECOVERY),
                                    binder.bindOrCreate("once.charges", ChargesProperties.class),
                                    binder.bindOrCreate("once.orders", OrdersProperties.class),
                                    binder.bindOrCreate("once.sagas", SagasProperties.class)),
                            queues)));
            binder.bindOrCreate("once.dead-letters", DeadLettersProperties.class);
            new ManagementPortCheck(environment());
            binder.bindOrCreate("once.console", ConsoleProperties.class);
            String folder = binder.bindOrCreate("once", OnceProperties.class).routes();
            if (folder != null) {
                new RouteFolder(Path.of(folder));
            }
            RouteFolder.refuse(inTheFolder);
            binder.bindOrCreate("once.inbox", InboxProperties.class);
            binder.bindOrCreate("once.orders.payment-provider", PaymentProviderProperties.class);
            binder.bindOrCreate("once.billing", BillingProperties.class);
            binder.bindOrCreate("once.notifications", NotificationsProperties.class);
            try (DefaultCamelContext camel = new DefaultCamelContext()) {
                camel.getRegistry().bind("vouchers", (Effect) request -> new EffectResult.Done("ISSUED"));
                camel.addRoutes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        routes.forEach(id -> from("direct:" + id).routeId(id).log(id));
                        if (alsoSendsTo != null) {
                            from("direct:more").routeId("more").to(alsoSendsTo);
                        }
                        if (effect != null) {
                            RouteDefinition vouchers = from("direct:vouchers").routeId("issue-vouchers");
                            vouchers.log("issued");
                            vouchers.setTemplateParameters(effect);
                        }
                        if (sagaOfCamels) {
                            from("direct:order")
                                    .routeId("order")
                                    .saga()
                                    .compensation("direct:cancel")
                                    .log("ordered");
                        }
                    }
                });
                checks.beforeApplicationStart(camel);
            }
        }

        private Environment environment() {
            MockEnvironment environment = new MockEnvironment();
            environment.setProperty("server.port", "8080");
            environment.setProperty("management.server.port", "8081");
            settings.forEach(environment::setProperty);
            return environment;
        }

        private SqsClient sqs() {
            return new SqsClient() {
                @Override
                public GetQueueUrlResponse getQueueUrl(GetQueueUrlRequest request) {
                    if (!sqsAnswers) {
                        throw SdkClientException.create("no credentials");
                    }
                    if (!queuesThere) {
                        throw QueueDoesNotExistException.builder().build();
                    }
                    return GetQueueUrlResponse.builder()
                            .queueUrl(request.queueName())
                            .build();
                }

                @Override
                public GetQueueAttributesResponse getQueueAttributes(GetQueueAttributesRequest request) {
                    boolean dead = request.queueUrl().endsWith("dlq");
                    String seconds = dead ? Long.toString(deadLetterRetention) : "345600";
                    Map<QueueAttributeName, String> attributes = new HashMap<>();
                    attributes.put(QueueAttributeName.MESSAGE_RETENTION_PERIOD, seconds);
                    Integer receives = dead
                            ? (deadLettersMoveOn ? Integer.valueOf(5) : null)
                            : request.queueUrl().equals("vouchers") ? maxReceiveCountOfVouchers : maxReceiveCount;
                    if (receives != null) {
                        attributes.put(
                                QueueAttributeName.REDRIVE_POLICY,
                                "{\"deadLetterTargetArn\":\"arn:aws:sqs:eu-west-1:000000000000:%s\",\"maxReceiveCount\":%s}"
                                        .formatted(movesTo, receives));
                    }
                    return GetQueueAttributesResponse.builder()
                            .attributes(attributes)
                            .build();
                }

                @Override
                public String serviceName() {
                    return SERVICE_NAME;
                }

                @Override
                public void close() {}
            };
        }

        private DynamoDbClient dynamoDb() {
            return new DynamoDbClient() {
                @Override
                public DescribeTableResponse describeTable(DescribeTableRequest request) {
                    if (!dynamoDbAnswers) {
                        throw SdkClientException.create("no credentials");
                    }
                    if (!tableThere) {
                        throw ResourceNotFoundException.builder().build();
                    }
                    return DescribeTableResponse.builder()
                            .table(table -> table.keySchema(tableKey))
                            .build();
                }

                @Override
                public String serviceName() {
                    return SERVICE_NAME;
                }

                @Override
                public void close() {}
            };
        }

        private static KeySchemaElement key(String name, KeyType type) {
            return KeySchemaElement.builder().attributeName(name).keyType(type).build();
        }
    }

    private static Arguments refused(String setting, String value, String sentence) {
        return Arguments.of(new Surroundings().with(setting, value), sentence);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refused("once.claims.lease", "0s", "once.claims.lease (PT0S) must be longer than nothing"),
                refused(
                        "management.server.port",
                        "8080",
                        "management.server.port (8080) must be another than server.port: what manages the application "
                                + "would be reachable wherever its public API is"),
                refused(
                        "once.console.users.alice.password",
                        "{noop}secret",
                        "once.console.users.alice.password must be encoded and say how, for instance {bcrypt}$2y$10$…: a "
                                + "password in clear is refused"),
                refused(
                        "once.console.users.alice.password",
                        ENCODED,
                        "once.console.users.alice.role must be viewer or operator"),
                Arguments.of(
                        new Surroundings()
                                .with("once.console.local-users", "true")
                                .with("once.console.users.alice.password", ENCODED)
                                .with("once.console.users.alice.role", "viewer"),
                        "once.console.local-users must be false where there are once.console.users: they are for a machine "
                                + "of one's own"),
                refused(
                        "once.charges.poll-wait",
                        "30s",
                        "once.charges.poll-wait (PT30S) must be whole seconds from 0 to 20"),
                refused(
                        "once.charges.visibility",
                        "1500ms",
                        "once.charges.visibility (PT1.5S) must be whole seconds from 1 to 43200"),
                refused(
                        "once.charges.max-back-off",
                        "13h",
                        "once.charges.max-back-off (PT13H) must be from once.charges.back-off (PT5S) to 11h"),
                refused(
                        "once.core-banking.read-timeout",
                        "28s",
                        "once.core-banking.connect-timeout and read-timeout together (PT30S) must stay below "
                                + "once.claims.lease (PT30S): a debit that outlasts its lease is run by a second owner meanwhile"),
                refused(
                        "once.aws.call-timeout",
                        "30s",
                        "once.aws.call-timeout (PT30S) must stay below once.claims.lease (PT30S)"),
                refused(
                        "once.claims.statement-timeout",
                        "1500ms",
                        "once.claims.statement-timeout (PT1.5S) must be whole seconds from 1 to 60"),
                Arguments.of(
                        new Surroundings()
                                .with("once.claims.store", "jdbc")
                                .with("once.claims.statement-timeout", "30s"),
                        "once.claims.statement-timeout (PT30S) must stay below once.claims.lease (PT30S)"),
                refused(
                        "once.claims.retention",
                        "32d",
                        "once.claims.retention (PT768H) must exceed PT768H, the retention of charges (PT96H) and charges-dlq "
                                + "(PT336H) and the redrive window (PT336H) together: a message could come back after its claim was forgotten"),
                refused(
                        "once.orders.payment-provider.lease",
                        "24s",
                        "once.orders.payment-provider.lease (PT24S) must exceed twice the connect-timeout and read-timeout "
                                + "together (PT24S): an undo asks the provider and then takes back, under one lease"),
                refused(
                        "once.outbox.lease",
                        "10s",
                        "once.outbox.lease (PT10S) must exceed twice once.aws.call-timeout (PT5S): what takes longer to be "
                                + "sent is sent by a second relay meanwhile"),
                refused(
                        "once.outbox.max-back-off",
                        "500ms",
                        "once.outbox.max-back-off (PT0.5S) must not be shorter than once.outbox.back-off (PT1S)"),
                refused(
                        "once.inbox.retention",
                        "14d",
                        "once.inbox.retention (PT336H) must be at least PT360H: SQS may deliver a message again for 14 days"),
                refused(
                        "once.billing.idempotency-retention",
                        "23h",
                        "once.billing.idempotency-retention (PT23H) must be at least PT24H: a request that is sent again "
                                + "after it would raise a second charge"),
                Arguments.of(
                        new Surroundings().withMaxReceiveCount(21),
                        "the queue charges has maxReceiveCount 21 in its redrive policy and needs at least 22: "
                                + "once.charges.max-attempts (10), once.claims.max-hold / lease (10) and 2 to spare; "
                                + "good charges would be moved to the dead-letter queue in the middle of their attempts"),
                refused(
                        "once.dead-letters.hold",
                        "29s",
                        "once.dead-letters.hold (PT29S) must be whole seconds from 30 to 43200"),
                Arguments.of(
                        new Surroundings().withMaxReceiveCount(30).withMovesTo("others-dlq"),
                        "the queue charges has others-dlq in its redrive policy and must have charges-dlq "
                                + "(once.charges.dead-letter-queue): what SQS moves by itself would be watched and redriven by nobody"),
                Arguments.of(
                        new Surroundings().withDeadLetterRetention(Duration.ofDays(4)),
                        "the dead-letter queue charges-dlq keeps messages for PT96H and must keep them for longer than charges "
                                + "(PT96H): the age of a message counts from its first sending"),
                Arguments.of(
                        new Surroundings().withDeadLettersThatMoveOn(),
                        "the dead-letter queue charges-dlq must have no redrive policy: whoever looks at its messages often "
                                + "enough would move them on"),
                Arguments.of(
                        new Surroundings().withRouteTo("aws2-sqs:charges?autoCreateQueue=true"),
                        "route more: autoCreateQueue=true on the queue charges is refused: a mistyped name would make a "
                                + "new queue and leave the charges on the old one"),
                Arguments.of(
                        new Surroundings().withRouteTo("aws2-sqs:charges?extendMessageVisibility=true"),
                        "route more: extendMessageVisibility=true on the queue charges is refused: it ends at its first "
                                + "failure, silently, and has no ceiling: the heartbeat does it"),
                Arguments.of(
                        new Surroundings().withoutRoute("defer-message"),
                        "the routes [defer-message] are missing (26 were found): camel.main.routes-include-pattern "
                                + "must match their files, and each file must be a list of routes"),
                Arguments.of(
                        new Surroundings().withSagaOfCamels(),
                        "route order: Camel's saga is refused: a killed process forgets it, and it is given up when a compensation has failed five times; define the steps in a file of sagas/"),
                Arguments.of(
                        new Surroundings().withEffect("#vouchers", "charge-recovery"),
                        "route issue-vouchers: the scope charge-recovery is that of recover-charge: their keys would be "
                                + "each other's duplicates"),
                Arguments.of(
                        new Surroundings().withEffect("#vouchers", "Vouchers"),
                        "route issue-vouchers: the scope Vouchers must be 1 to 64 of lower case, digits and hyphens, and "
                                + "begin with a letter"),
                Arguments.of(
                        new Surroundings().withEffect("#voucherz", "voucher-issue"),
                        "route issue-vouchers: the effect #voucherz is no bean of the type Effect"),
                refused("once.routes", "/etc/once/no-routes", "there is no folder /etc/once/no-routes (once.routes)"),
                Arguments.of(
                        new Surroundings()
                                .withFolderOfRoutes(
                                        new Finding(ISSUE_VOUCHERS, 6, "there is no bean voucherz"),
                                        new Finding(ISSUE_VOUCHERS, 7, "the route isn't described in one sentence")),
                        ISSUE_VOUCHERS + ":6 is refused (once.routes): there is no bean voucherz; 1 more: make "
                                + "check-routes lists them"),
                Arguments.of(
                        new Surroundings().withoutTable(),
                        "there is no table once-claims (once.claims.table) in eu-west-1"),
                Arguments.of(
                        new Surroundings().withSortKey(),
                        "the table once-claims (once.claims.table) must have the partition key pk and no sort key"),
                Arguments.of(
                        new Surroundings().withoutDynamoDb(),
                        "DynamoDB in eu-west-1 can't be asked for the table once-claims: no credentials"),
                Arguments.of(
                        new Surroundings().withoutQueues(),
                        "there is no queue charges (once.charges.queue) in eu-west-1"),
                Arguments.of(
                        new Surroundings().withoutSqs(),
                        "SQS in eu-west-1 can't be asked for the queue charges: no credentials"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("refusals")
    void theStartIsRefusedInOneSentence(Surroundings surroundings, String sentence) {
        Throwable failure = catchThrowable(surroundings::check);

        assertThat(causes(failure))
                .filteredOn(StartRefusedException.class::isInstance)
                .singleElement()
                .satisfies(refused -> assertThat(refused).hasMessage(sentence));
    }

    @Test
    void theDefaultsAreNotRefused() {
        assertThatCode(() -> new Surroundings().check()).doesNotThrowAnyException();
    }

    @Test
    void whereClaimsAreInPostgresDynamoDbIsNotAsked() {
        assertThatCode(() -> new Surroundings()
                        .with("once.claims.store", "jdbc")
                        .withoutDynamoDb()
                        .check())
                .doesNotThrowAnyException();
    }

    @Test
    void asManyReceivesAsAreNeededAreNotRefused() {
        assertThatCode(() -> new Surroundings().withMaxReceiveCount(22).check()).doesNotThrowAnyException();
    }

    @Test
    void anEffectWithAScopeOfItsOwnIsNotRefused() {
        assertThatCode(() -> new Surroundings()
                        .withEffect("#vouchers", "voucher-issue")
                        .check())
                .doesNotThrowAnyException();
    }

    /** Not only the queue of charges must fit the attempts and the claims. */
    @Test
    void theQueueOfAnEffectIsHeldToTheClaimsToo() {
        Surroundings surroundings = new Surroundings().withEffect("#vouchers", "voucher-issue");
        surroundings.maxReceiveCountOfVouchers = 21;

        assertThat(catchThrowable(surroundings::check))
                .hasMessageContaining(
                        "the queue vouchers has maxReceiveCount 21 in its redrive policy and needs at least 22");
    }

    @Test
    void anEmulatorIsNamedByItsAddress() {
        Throwable failure = catchThrowable(() -> new Surroundings()
                .withoutQueues()
                .with("once.aws.sqs-endpoint", "http://127.0.0.1:9324")
                .check());

        assertThat(failure)
                .hasMessage("there is no queue charges (once.charges.queue) in " + URI.create("http://127.0.0.1:9324"));
    }

    @Test
    void theDocumentQuotesEveryRefusalAndNoOther() throws IOException {
        Set<String> quoted = QUOTED.matcher(Files.readString(DOCUMENT))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());

        assertThat(quoted)
                .containsExactlyInAnyOrderElementsOf(
                        refusals().map(refusal -> (String) refusal.get()[1]).toList());
    }

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }
}
