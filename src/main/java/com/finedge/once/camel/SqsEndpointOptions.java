package com.finedge.once.camel;

import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.component.aws2.sqs.Sqs2Component;
import org.apache.camel.component.aws2.sqs.Sqs2Configuration;
import org.apache.camel.model.BeanDefinition;
import org.apache.camel.model.ExpressionNode;
import org.apache.camel.model.LogDefinition;
import org.apache.camel.model.PollDefinition;
import org.apache.camel.model.PollEnrichDefinition;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RouteConfigurationDefinition;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.SendDefinition;
import org.apache.camel.model.SetPropertyDefinition;
import org.apache.camel.model.SetVariableDefinition;
import org.apache.camel.model.ThreadsDefinition;
import org.apache.camel.model.ToDynamicDefinition;
import org.apache.camel.util.URISupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds endpoint options that would break the guarantees on our queues, before any endpoint is made, and steps that would
 * lose a message before it is kept.
 */
public final class SqsEndpointOptions {

    private static final String SCHEME = "aws2-sqs:";

    /** What may stand before the step that keeps the message, since it leaves headers and body as they came. */
    private static final Set<Class<?>> HARMLESS = Set.of(
            ThreadsDefinition.class, SetVariableDefinition.class, SetPropertyDefinition.class, LogDefinition.class);

    private final CamelContext camel;
    private final Set<String> queues;

    /** @param queues the names of our queues */
    public SqsEndpointOptions(CamelContext camel, Set<String> queues) {
        this.camel = camel;
        this.queues = queues;
    }

    /** What is wrong with a route's endpoints and with its first steps, each a sentence. */
    public List<String> problems(RouteDefinition route) {
        List<String> problems = new ArrayList<>();
        // Of a route that is made from a template; its endpoints name them, and nobody else knows them.
        Properties parameters = new Properties();
        if (route.getTemplateParameters() != null) {
            parameters.putAll(route.getTemplateParameters());
        }
        camel.getPropertiesComponent().setLocalProperties(parameters);
        try {
            check(route.getInput().getEndpointUri(), true, keepsItsMessages(route), problems);
            checkSteps(route.getOutputs(), problems);
        } finally {
            camel.getPropertiesComponent().setLocalProperties(null);
        }
        checkFirstSteps(route.getOutputs(), problems);
        return problems;
    }

    /** A route that keeps its message in some other way, or not at all, isn't judged. */
    private static void checkFirstSteps(List<ProcessorDefinition<?>> steps, List<String> problems) {
        List<ProcessorDefinition<?>> before =
                steps.stream().takeWhile(step -> !keepsTheMessage(step)).toList();
        if (before.size() < steps.size()) {
            before.stream()
                    .filter(step -> !step.isAbstract() && !HARMLESS.contains(step.getClass()))
                    .map(step ->
                            "the step %s stands before the message is kept (bean messages, method received) and may lose it"
                                    .formatted(step.getId() == null ? step.getShortName() : step.getId()))
                    .forEach(problems::add);
        }
    }

    /** The queue of such a route is one of ours, whatever its name: its steps delete what they have handled. */
    private static boolean keepsItsMessages(RouteDefinition route) {
        return route.getOutputs().stream().anyMatch(SqsEndpointOptions::keepsTheMessage);
    }

    private static boolean keepsTheMessage(ProcessorDefinition<?> step) {
        return step instanceof BeanDefinition bean
                && "messages".equals(bean.getRef())
                && "received".equals(bean.getMethod());
    }

    /** What is wrong with the endpoints of what is common to routes, each a sentence. */
    public List<String> problems(RouteConfigurationDefinition common) {
        List<String> problems = new ArrayList<>();
        Stream.of(
                        common.getIntercepts(),
                        common.getInterceptFroms(),
                        common.getInterceptSendTos(),
                        common.getOnExceptions(),
                        common.getOnCompletions())
                .flatMap(List::stream)
                .forEach(steps -> checkSteps(steps.getOutputs(), problems));
        return problems;
    }

    private void checkSteps(List<ProcessorDefinition<?>> steps, List<String> problems) {
        ProcessorDefinitionHelper.filterTypeInOutputs(steps, ProcessorDefinition.class)
                .forEach(step -> checkStep(step, problems));
    }

    private void checkStep(ProcessorDefinition<?> step, List<String> problems) {
        switch (step) {
            case SendDefinition<?> to -> check(to.getEndpointUri(), false, false, problems);
            case ToDynamicDefinition to -> check(to.getUri(), false, false, problems);
            case PollDefinition poll -> check(poll.getEndpointUri(), true, false, problems);
            case PollEnrichDefinition poll -> check(written(poll), true, false, problems);
            // Also a recipient list or a routing slip may name an endpoint.
            case ExpressionNode other -> check(written(other), false, false, problems);
            default -> {}
        }
    }

    private static @Nullable String written(ExpressionNode step) {
        return step.getExpression() == null ? null : step.getExpression().getExpression();
    }

    private void check(@Nullable String endpoint, boolean consumes, boolean ours, List<String> problems) {
        String uri = endpoint == null ? "" : camel.resolvePropertyPlaceholders(endpoint);
        if (!uri.startsWith(SCHEME)) {
            return;
        }
        Map<String, Object> options = options(uri);
        String queue = uri.substring(SCHEME.length()).replaceFirst("^/+", "").replaceFirst("\\?.*", "");
        if (!ours && !isOurs(queue) && !isOurs(String.valueOf(options.get("queueUrl")))) {
            return;
        }
        Sqs2Configuration defaults =
                camel.getComponent("aws2-sqs", Sqs2Component.class).getConfiguration();
        if (isTrue(options, "autoCreateQueue", defaults.isAutoCreateQueue())) {
            problems.add(("autoCreateQueue=true on the queue %s is refused: a mistyped name would make a new queue and "
                            + "leave the charges on the old one")
                    .formatted(queue));
        }
        if (isTrue(options, "extendMessageVisibility", defaults.isExtendMessageVisibility())) {
            problems.add(("extendMessageVisibility=true on the queue %s is refused: it ends at its first failure, "
                            + "silently, and has no ceiling: the heartbeat does it")
                    .formatted(queue));
        }
        if (consumes && isTrue(options, "deleteAfterRead", defaults.isDeleteAfterRead())) {
            problems.add(
                    ("deleteAfterRead must be false on the queue %s: Camel would delete a message whose exchange ended "
                                    + "well, its charge recovered or not")
                            .formatted(queue));
        }
    }

    /** By its name, its ARN or its URL. */
    private boolean isOurs(String queue) {
        return queues.contains(queue.replaceFirst(".*[:/]", ""));
    }

    /** An option that the endpoint doesn't set is what {@code camel.component.aws2-sqs} sets. */
    private static boolean isTrue(Map<String, Object> options, String name, boolean otherwise) {
        Object value = options.get(name);
        return value == null ? otherwise : Boolean.parseBoolean(value.toString().trim());
    }

    private static Map<String, Object> options(String uri) {
        int query = uri.indexOf('?');
        try {
            return query < 0 ? Map.of() : URISupport.parseQuery(uri.substring(query + 1));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("the endpoint can't be read: " + URISupport.sanitizeUri(uri), e);
        }
    }
}
