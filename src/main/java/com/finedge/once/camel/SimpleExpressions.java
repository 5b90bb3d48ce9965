package com.finedge.once.camel;

import com.finedge.once.saga.Expressions;
import com.finedge.once.saga.Template;
import com.finedge.once.saga.Template.Placeholder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Expression;
import org.apache.camel.support.DefaultExchange;
import org.jspecify.annotations.Nullable;

/**
 * The expressions of a saga's definition, evaluated by Camel's Simple.
 *
 * <p>Simple could call beans, read the environment and run scripts. A definition can't: Simple is given one look-up of
 * names at a time, written here from a {@link Template} and never by the definition; the text around stays away from it.
 */
public final class SimpleExpressions implements Expressions {

    private final CamelContext camel;

    /** By name; as many as the definitions have. */
    private final Map<String, Expression> lookUps = new ConcurrentHashMap<>();

    public SimpleExpressions(CamelContext camel) {
        this.camel = camel;
    }

    @Override
    public @Nullable Object evaluate(String expression, Scope scope) {
        return Template.of(expression).filled(placeholder -> value(placeholder, scope));
    }

    private @Nullable Object value(Placeholder placeholder, Scope scope) {
        Object value = scope.of(placeholder.root()).values();
        for (String name : placeholder.path()) {
            value = value instanceof Map<?, ?> ? lookedUp(name, value) : null;
        }
        return value;
    }

    /** One name at a time: a path that ends early is no value, but an exception of Simple's. */
    private @Nullable Object lookedUp(String name, Object object) {
        Exchange exchange = new DefaultExchange(camel);
        exchange.getMessage().setBody(object);
        return lookUps.computeIfAbsent(name, this::lookUp).evaluate(exchange, Object.class);
    }

    /** In brackets: behind a dot Simple looks for methods, and {@code class} is one of every object. */
    private Expression lookUp(String name) {
        Expression simple = camel.resolveLanguage("simple").createExpression("${body[" + name + "]}");
        simple.init(camel);
        return simple;
    }
}
