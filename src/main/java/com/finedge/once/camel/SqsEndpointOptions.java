package com.finedge.once.camel;

import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.SendDefinition;
import org.apache.camel.util.URISupport;
import org.jspecify.annotations.Nullable;

/** Finds endpoint options that would break the guarantees on our queues, before any endpoint is made. */
public final class SqsEndpointOptions {

    private static final String SCHEME = "aws2-sqs:";

    /** What each would do. */
    private static final Map<String, String> FORBIDDEN = Map.of(
            "autoCreateQueue", "a mistyped name would make a new queue and leave the charges on the old one",
            "extendMessageVisibility",
                    "it ends at its first failure, silently, and has no ceiling: the heartbeat does it");

    private final CamelContext camel;
    private final Set<String> queues;

    /** @param queues the names of our queues */
    public SqsEndpointOptions(CamelContext camel, Set<String> queues) {
        this.camel = camel;
        this.queues = queues;
    }

    /** What is wrong with a route's endpoints, each a sentence. */
    public List<String> problems(RouteDefinition route) {
        List<String> problems = new ArrayList<>();
        check(route.getInput().getEndpointUri(), true, problems);
        ProcessorDefinitionHelper.filterTypeInOutputs(route.getOutputs(), SendDefinition.class)
                .forEach(send -> check(send.getEndpointUri(), false, problems));
        return problems;
    }

    private void check(String endpoint, boolean consumes, List<String> problems) {
        String uri = camel.resolvePropertyPlaceholders(endpoint);
        if (!uri.startsWith(SCHEME)) {
            return;
        }
        String queue = uri.substring(SCHEME.length()).replaceFirst("^/+", "").replaceFirst("\\?.*", "");
        if (!queues.contains(queue.substring(queue.lastIndexOf(':') + 1))) {
            return;
        }
        Map<String, Object> options = options(uri);
        FORBIDDEN.forEach((option, why) -> {
            if (isTrue(options.get(option))) {
                problems.add("%s=true on the queue %s is refused: %s".formatted(option, queue, why));
            }
        });
        if (consumes && isTrue(options.getOrDefault("deleteAfterRead", "true"))) {
            problems.add(
                    ("deleteAfterRead must be false on the queue %s: Camel would delete a message whose exchange ended "
                                    + "well, its charge recovered or not")
                            .formatted(queue));
        }
    }

    private static boolean isTrue(@Nullable Object value) {
        return value != null && Boolean.parseBoolean(value.toString().trim());
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
