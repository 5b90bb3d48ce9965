package com.finedge.once.config;

import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.camel.SqsEndpointOptions;
import com.finedge.once.saga.DefinitionProblem;
import com.finedge.once.saga.SagaDefinition;
import com.finedge.once.saga.SagaDefinitions;
import com.finedge.once.saga.SagaStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.camel.CamelContext;
import org.apache.camel.model.ModelCamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** Looks, before the first message is received, whether sagas can be run with what is there. */
class SagaChecks implements StartCheck {

    private static final Logger log = LoggerFactory.getLogger(SagaChecks.class);

    private static final Set<String> ROUTES = Set.of("order-saga", "dead-letter-saga-message");

    private final SagasProperties properties;
    private final SagaDefinitions definitions;
    private final SagaStore store;
    private final SqsQueues queues;

    SagaChecks(SagasProperties properties, SagaDefinitions definitions, SagaStore store, SqsQueues queues) {
        this.properties = properties;
        this.definitions = definitions;
        this.store = store;
        this.queues = queues;
    }

    @Override
    public void check(CamelContext camel) {
        Checks.refuse(
                !isQueue(properties.deadLetterQueue()),
                "there is no queue %s (once.sagas.dead-letter-queue)",
                properties.queue(properties.deadLetterQueue()));
        List<DefinitionProblem> problems = new ArrayList<>();
        for (SagaDefinition definition : definitions.all()) {
            Checks.refuse(
                    !definition.replyTo().equals(properties.queue()),
                    "%s: replyTo must be %s (once.sagas.queue), the one queue that is read for answers",
                    definition.source(),
                    properties.queue());
            problems.addAll(definition.unknownQueues(this::isQueue));
        }
        if (problems.isEmpty()) {
            // Published only now: what couldn't be run should still be free to be corrected.
            definitions
                    .all()
                    .forEach(definition -> problems.addAll(definition.changesSince(store.publish(definition))));
        }
        Checks.refuse(
                !problems.isEmpty(),
                "%s",
                problems.stream().map(DefinitionProblem::toString).collect(Collectors.joining("; ")));
        endpointsKeepTheGuarantees(camel);
        log.info("Running sagas by {}, answers come by {}", definitions.keys(), properties.queue(properties.queue()));
    }

    private void endpointsKeepTheGuarantees(CamelContext camel) {
        SqsEndpointOptions options = new SqsEndpointOptions(
                camel, Set.of(properties.queue(properties.queue()), properties.queue(properties.deadLetterQueue())));
        ((ModelCamelContext) camel)
                .getRouteDefinitions().stream()
                        .filter(route -> ROUTES.contains(route.getRouteId()))
                        .forEach(route -> options.problems(route)
                                .forEach(problem -> Checks.refuse(true, "route %s: %s", route.getRouteId(), problem)));
    }

    private boolean isQueue(String name) {
        try {
            queues.named(properties.queue(name));
            return true;
        } catch (QueueDoesNotExistException e) {
            return false;
        } catch (SdkException e) {
            throw new StartRefusedException(
                    "SQS can't be asked for the queue %s: %s".formatted(properties.queue(name), e.getMessage()), e);
        }
    }
}
