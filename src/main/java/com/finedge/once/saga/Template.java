package com.finedge.once.saga;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An expression of a definition, taken apart: text with placeholders such as <code>${data.orderId}</code>.
 *
 * <p>This is all that a definition can say. Whatever evaluates it gets names to look up and never a text to interpret.
 */
public record Template(List<Part> parts) {

    /** What a placeholder looks into. */
    public enum Root {
        /** What the saga remembers; where a saga starts, the message that starts it. */
        DATA,
        /** The saga itself: {@link SagaDefinition#OWN_NAMES}. */
        SAGA,
        /** The answer of the step's participant. */
        REPLY
    }

    /** A piece of a template. */
    public sealed interface Part {}

    /** A piece that stands for itself. */
    public record Text(String text) implements Part {}

    /**
     * A piece that stands for a value.
     *
     * @param path at least one name, from the outside to the inside
     */
    public record Placeholder(Root root, List<String> path) implements Part {

        public Placeholder {
            path = List.copyOf(path);
        }

        /** As it is written. */
        @Override
        public String toString() {
            return "${" + root.name().toLowerCase(Locale.ROOT) + "." + String.join(".", path) + "}";
        }
    }

    private static final String NAME = "[A-Za-z][A-Za-z0-9_]{0,63}";
    private static final Pattern PART =
            Pattern.compile("\\$\\{(data|saga|reply)((?:\\." + NAME + "){1,8})}|([^$]+)", Pattern.DOTALL);

    public Template {
        parts = List.copyOf(parts);
    }

    /** @throws IllegalArgumentException if it is anything else than text and placeholders; the text says what */
    public static Template of(String expression) {
        List<Part> parts = new ArrayList<>();
        Matcher matcher = PART.matcher(expression);
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            end = matcher.end();
            parts.add(
                    matcher.group(1) == null
                            ? new Text(matcher.group())
                            : new Placeholder(
                                    Root.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)),
                                    List.of(matcher.group(2).substring(1).split("\\.", -1))));
        }
        if (end < expression.length()) {
            throw new IllegalArgumentException("%s: only ${data.name}, ${saga.name} and ${reply.name} can follow a $"
                    .formatted(expression.substring(end)));
        }
        return new Template(parts);
    }

    /**
     * The value: of a single placeholder the value itself, whatever it is; of anything else a text.
     *
     * @param values what each placeholder stands for
     * @return nothing if a placeholder has no value
     */
    public @Nullable Object filled(Function<Placeholder, @Nullable Object> values) {
        if (parts.size() == 1) {
            return value(parts.getFirst(), values);
        }
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            Object value = value(part, values);
            if (value == null) {
                return null;
            }
            text.append(value);
        }
        return text.toString();
    }

    private static @Nullable Object value(Part part, Function<Placeholder, @Nullable Object> values) {
        return switch (part) {
            case Text(String text) -> text;
            case Placeholder placeholder -> values.apply(placeholder);
        };
    }

    static boolean isName(String text) {
        return text.matches(NAME);
    }

    /** Its placeholders in their order. */
    Stream<Placeholder> placeholders() {
        return parts.stream().filter(Placeholder.class::isInstance).map(Placeholder.class::cast);
    }
}
