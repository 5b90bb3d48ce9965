package com.finedge.once.saga;

import com.finedge.once.saga.Template.Part;
import com.finedge.once.saga.Template.Placeholder;
import com.finedge.once.saga.Template.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Expressions without any language: placeholders are looked up and nothing more. */
public final class PlainExpressions implements Expressions {

    @Override
    public @Nullable Object evaluate(String expression, Scope scope) {
        List<Part> parts = Template.of(expression).parts();
        if (parts.size() == 1) {
            return value(parts.getFirst(), scope);
        }
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            Object value = value(part, scope);
            if (value == null) {
                return null;
            }
            text.append(value);
        }
        return text.toString();
    }

    private static @Nullable Object value(Part part, Scope scope) {
        return switch (part) {
            case Text(String text) -> text;
            case Placeholder(Template.Root root, List<String> path) ->
                scope.of(root).at(path);
        };
    }
}
