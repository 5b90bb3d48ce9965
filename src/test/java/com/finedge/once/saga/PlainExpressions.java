package com.finedge.once.saga;

import org.jspecify.annotations.Nullable;

/** Expressions without any language: placeholders are looked up and nothing more. */
public final class PlainExpressions implements Expressions {

    @Override
    public @Nullable Object evaluate(String expression, Scope scope) {
        return Template.of(expression)
                .filled(placeholder -> scope.of(placeholder.root()).at(placeholder.path()));
    }
}
