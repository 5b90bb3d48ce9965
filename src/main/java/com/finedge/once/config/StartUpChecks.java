package com.finedge.once.config;

import com.finedge.once.adapter.sqs.SqsQueue;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.camel.SqsEndpointOptions;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.effect.Effect;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RouteConfigurationDefinition;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.SagaDefinition;
import org.apache.camel.spring.boot.CamelContextConfiguration;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.util.ObjectHelper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** Looks, before the first message is received, whether the promises can be kept with what is there. */
class StartUpChecks implements CamelContextConfiguration {

    private static final Logger log = LoggerFactory.getLogger(StartUpChecks.class);

    private static final int SPARE_RECEIVES = 2;

    /** The console ends a charge whose debit it finds. */
    private static final Set<Role> USE_OUTCOMES = Set.of(Role.CHARGE_RECOVERY, Role.BILLING, Role.CONSOLE);

    private final OnceProperties once;
    private final AwsProperties aws;
    private final ClaimsProperties claims;
    private final ChargesProperties charges;
    private final CoreBankingProperties bank;
    private final OutboxProperties outbox;
    private final OrdersProperties orders;
    private final SqsQueues queues;
    private final Supplier<DynamoDbClient> dynamoDb;
    private final List<StartCheck> more;

    StartUpChecks(
            OnceProperties once,
            AwsProperties aws,
            ClaimsProperties claims,
            ChargesProperties charges,
            CoreBankingProperties bank,
            OutboxProperties outbox,
            OrdersProperties orders,
            SqsQueues queues,
            Supplier<DynamoDbClient> dynamoDb,
            List<StartCheck> more) {
        this.once = once;
        this.aws = aws;
        this.claims = claims;
        this.charges = charges;
        this.bank = bank;
        this.outbox = outbox;
        this.orders = orders;
        this.queues = queues;
        this.dynamoDb = dynamoDb;
        this.more = more;
    }

    @Override
    public void beforeApplicationStart(CamelContext camel) {
        routesAreThere(camel);
        noSagaIsCamels(camel);
        if (once.roles().contains(Role.CHARGE_RECOVERY)) {
            leaseOutlastsTheDebit();
            claimsCanBeKept();
            claimsOutliveTheirMessages(
                    queue("once.charges.queue", charges.queue()),
                    queue("once.charges.dead-letter-queue", charges.deadLetterQueue()));
            effectsCanBeKept(camel);
        }
        if (once.roles().stream().anyMatch(Role::needsDatabase)) {
            leaseOutlastsTheSending();
        }
        if (once.roles().contains(Role.BILLING)) {
            queue("once.charges.queue", charges.queue());
        }
        if (once.roles().contains(Role.ORDER_PARTICIPANTS)) {
            orders.queues().forEach(this::queue);
        }
        String outcomes = charges.outcomesQueue();
        if (outcomes != null && !Collections.disjoint(once.roles(), USE_OUTCOMES)) {
            queue("once.charges.outcomes-queue", outcomes);
        }
        more.forEach(check -> check.check(camel));
        // Last: reading an endpoint's options looks up the URL of its queue.
        endpointsKeepTheGuarantees(camel);
    }

    @Override
    public void afterApplicationStart(CamelContext camel) {
        if (once.roles().contains(Role.BILLING)) {
            log.info("Raising charges and relaying them to {}", charges.queue());
        }
        if (once.roles().contains(Role.ORDER_PARTICIPANTS)) {
            log.info("Doing and undoing the steps of orders, from {}", orders.commandQueues());
        }
        if (!once.roles().contains(Role.CHARGE_RECOVERY)) {
            return;
        }
        log.info(
                "Recovering charges from {}: {} at once, {} pollers, lease {}, visibility {}",
                charges.queue(),
                charges.maxInFlight(),
                charges.pollers(),
                claims.lease(),
                charges.visibility());
    }

    private void leaseOutlastsTheDebit() {
        Duration debit = bank.connectTimeout().plus(bank.readTimeout());
        Checks.refuse(
                debit.compareTo(claims.lease()) >= 0,
                "once.core-banking.connect-timeout and read-timeout together (%s) must stay below once.claims.lease (%s): "
                        + "a debit that outlasts its lease is run by a second owner meanwhile",
                debit,
                claims.lease());
        Checks.refuse(
                aws.callTimeout().compareTo(claims.lease()) >= 0,
                "once.aws.call-timeout (%s) must stay below once.claims.lease (%s)",
                aws.callTimeout(),
                claims.lease());
    }

    private void leaseOutlastsTheSending() {
        Checks.refuse(
                outbox.lease().compareTo(aws.callTimeout().multipliedBy(2)) <= 0,
                "once.outbox.lease (%s) must exceed twice once.aws.call-timeout (%s): what takes longer to be sent is sent "
                        + "by a second relay meanwhile",
                outbox.lease(),
                aws.callTimeout());
    }

    private void routesAreThere(CamelContext camel) {
        List<RouteDefinition> routes = ((ModelCamelContext) camel).getRouteDefinitions();
        Set<String> missing = once.roles().stream()
                .flatMap(role -> role.routes().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        routes.forEach(route -> missing.remove(route.getRouteId()));
        Checks.refuse(
                !missing.isEmpty(),
                "the routes %s are missing (%s were found): camel.main.routes-include-pattern must match their files, "
                        + "and each file must be a list of routes",
                missing,
                routes.size());
    }

    private static void noSagaIsCamels(CamelContext camel) {
        for (RouteDefinition route : ((ModelCamelContext) camel).getRouteDefinitions()) {
            Checks.refuse(
                    !ProcessorDefinitionHelper.filterTypeInOutputs(route.getOutputs(), SagaDefinition.class)
                            .isEmpty(),
                    "route %s: Camel's saga is refused: a killed process forgets it, and it is given up when a compensation "
                            + "has failed five times; define the steps in a file of sagas/",
                    route.getRouteId());
        }
    }

    private void endpointsKeepTheGuarantees(CamelContext camel) {
        Set<String> ours = Stream.concat(
                        Stream.of(charges.queue(), charges.deadLetterQueue(), charges.outcomesQueue()),
                        orders.queues().values().stream())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        SqsEndpointOptions options = new SqsEndpointOptions(camel, ours);
        ModelCamelContext model = (ModelCamelContext) camel;
        for (RouteDefinition route : model.getRouteDefinitions()) {
            if (!runsHere(camel, route)) {
                continue;
            }
            problems(options, route)
                    .forEach(problem -> Checks.refuse(true, "route %s: %s", route.getRouteId(), problem));
        }
        for (RouteConfigurationDefinition common : model.getRouteConfigurationDefinitions()) {
            options.problems(common).forEach(problem -> Checks.refuse(true, "route configuration: %s", problem));
        }
    }

    /** A route that a team has added may name a queue that nothing else here does. */
    private static List<String> problems(SqsEndpointOptions options, RouteDefinition route) {
        try {
            return options.problems(route);
        } catch (RuntimeException e) {
            QueueDoesNotExistException missing = ObjectHelper.getException(QueueDoesNotExistException.class, e);
            if (missing == null) {
                throw e;
            }
            return List.of(missing.getMessage());
        }
    }

    /** A route of another role names queues that this process needn't have. */
    private static boolean runsHere(CamelContext camel, RouteDefinition route) {
        return route.getPrecondition() == null
                || camel.resolveLanguage("simple")
                        .createPredicate(camel.resolvePropertyPlaceholders(route.getPrecondition()))
                        .matches(new DefaultExchange(camel));
    }

    /** A table in PostgreSQL was made by the migrations, before this. */
    private void claimsCanBeKept() {
        switch (claims.store()) {
            case DYNAMODB -> tableIsThere();
            case JDBC ->
                Checks.refuse(
                        claims.statementTimeout().compareTo(claims.lease()) >= 0,
                        "once.claims.statement-timeout (%s) must stay below once.claims.lease (%s)",
                        claims.statementTimeout(),
                        claims.lease());
        }
    }

    private void tableIsThere() {
        try {
            TableDescription table = dynamoDb.get()
                    .describeTable(request -> request.tableName(claims.table()))
                    .table();
            boolean keyedByPk = table.keySchema()
                    .equals(List.of(KeySchemaElement.builder()
                            .attributeName("pk")
                            .keyType(KeyType.HASH)
                            .build()));
            Checks.refuse(
                    !keyedByPk,
                    "the table %s (once.claims.table) must have the partition key pk and no sort key",
                    claims.table());
        } catch (ResourceNotFoundException e) {
            throw new StartRefusedException(
                    "there is no table %s (once.claims.table) in %s"
                            .formatted(claims.table(), where(aws.dynamodbEndpoint())),
                    e);
        } catch (SdkException e) {
            throw new StartRefusedException(
                    "DynamoDB in %s can't be asked for the table %s: %s"
                            .formatted(where(aws.dynamodbEndpoint()), claims.table(), e.getMessage()),
                    e);
        }
    }

    /** Routes made from the template charge-consumer: their queues must fit the claims as that of charges does. */
    private void effectsCanBeKept(CamelContext camel) {
        Map<String, String> scopes = new HashMap<>();
        scopes.put(ChargeId.SCOPE, "recover-charge");
        for (RouteDefinition route : ((ModelCamelContext) camel).getRouteDefinitions()) {
            Map<String, Object> parameters = route.getTemplateParameters();
            if (parameters != null && parameters.containsKey("effect") && runsHere(camel, route)) {
                effectCanBeKept(camel, route.getRouteId(), parameters, scopes);
            }
        }
    }

    private void effectCanBeKept(
            CamelContext camel, String route, Map<String, Object> parameters, Map<String, String> scopes) {
        String scope = String.valueOf(parameters.get("scope"));
        String other = scopes.putIfAbsent(scope, route);
        Checks.refuse(
                other != null,
                "route %s: the scope %s is that of %s: their keys would be each other's duplicates",
                route,
                scope,
                other);
        Checks.refuse(
                !ClaimKey.isScope(scope),
                "route %s: the scope %s must be 1 to 64 of lower case, digits and hyphens, and begin with a letter",
                route,
                scope);
        String effect = String.valueOf(parameters.get("effect"));
        Checks.refuse(
                camel.getRegistry().lookupByNameAndType(effect.replaceFirst("^#(bean:)?", ""), Effect.class) == null,
                "route %s: the effect %s is no bean of the type Effect",
                route,
                effect);
        String queue = camel.resolvePropertyPlaceholders(String.valueOf(parameters.get("queue")));
        claimsOutliveTheirMessages(queue("route " + route, queue), queue("route " + route, queue + "-dlq"));
    }

    private void claimsOutliveTheirMessages(SqsQueue queue, SqsQueue deadLetters) {
        attemptsFitTheRedrivePolicy(queue);
        Duration longest = queue.retention().plus(deadLetters.retention()).plus(claims.redriveWindow());
        Checks.refuse(
                claims.retention().compareTo(longest) <= 0,
                "once.claims.retention (%s) must exceed %s, the retention of %s (%s) and %s (%s) and the redrive window "
                        + "(%s) together: a message could come back after its claim was forgotten",
                claims.retention(),
                longest,
                queue.name(),
                queue.retention(),
                deadLetters.name(),
                deadLetters.retention(),
                claims.redriveWindow());
    }

    /**
     * SQS moves a message after so many receives, whatever they were for. A charge may be received once an attempt, a
     * duplicate once a lease for as long as the charge is held, and a crash and a stop shouldn't cost a charge either.
     */
    private void attemptsFitTheRedrivePolicy(SqsQueue queue) {
        Integer receives = queue.maxReceiveCount();
        if (receives == null) {
            log.warn(
                    "The queue {} has no redrive policy: a message that can't be handled at all comes back for as long as"
                            + " the queue keeps it",
                    queue.name());
            return;
        }
        long leases = (claims.maxHold().toMillis() + claims.lease().toMillis() - 1)
                / claims.lease().toMillis();
        long needed = charges.maxAttempts() + leases + SPARE_RECEIVES;
        Checks.refuse(
                receives < needed,
                "the queue %s has maxReceiveCount %s in its redrive policy and needs at least %s: "
                        + "once.charges.max-attempts (%s), once.claims.max-hold / lease (%s) and %s to spare; "
                        + "good charges would be moved to the dead-letter queue in the middle of their attempts",
                queue.name(),
                receives,
                needed,
                charges.maxAttempts(),
                leases,
                SPARE_RECEIVES);
    }

    private SqsQueue queue(String property, String name) {
        try {
            return queues.named(name);
        } catch (QueueDoesNotExistException e) {
            throw new StartRefusedException(
                    "there is no queue %s (%s) in %s".formatted(name, property, where(aws.sqsEndpoint())), e);
        } catch (SdkException e) {
            throw new StartRefusedException(
                    "SQS in %s can't be asked for the queue %s: %s"
                            .formatted(where(aws.sqsEndpoint()), name, e.getMessage()),
                    e);
        }
    }

    private String where(@Nullable URI endpoint) {
        return endpoint == null ? aws.region() : endpoint.toString();
    }
}
