package com.finedge.once.adapter.yaml;

import com.finedge.once.saga.DefinitionProblem;
import com.finedge.once.saga.DefinitionRule;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The fields of one YAML object; what isn't as it was asked for is a problem, and something harmless stands in for it. */
final class Fields {

    private final String source;
    private final @Nullable String step;
    private final String path;
    private final List<DefinitionProblem> problems;
    private final Map<String, Object> fields = new LinkedHashMap<>();
    private final Set<String> asked = new LinkedHashSet<>();

    /** @param path what the object is, in the words of the file */
    Fields(
            String source,
            @Nullable String step,
            String path,
            @Nullable Object value,
            List<DefinitionProblem> problems) {
        this.source = source;
        this.step = step;
        this.path = path;
        // Of what isn't an object nothing more is to be said.
        this.problems = value instanceof Map ? problems : new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, field) -> {
                if (name instanceof String text && field != null) {
                    fields.put(text, field);
                } else {
                    problem("%s of %s has no text for a name, or no value".formatted(name, path));
                }
            });
        } else {
            problems.add(new DefinitionProblem(source, step, DefinitionRule.FORM, path + " must be an object"));
        }
    }

    Set<String> names() {
        return fields.keySet();
    }

    boolean has(String name) {
        asked.add(name);
        return fields.containsKey(name);
    }

    boolean is(String name, String text) {
        return has(name) && text.equals(fields.get(name));
    }

    boolean isObject(String name) {
        return has(name) && fields.get(name) instanceof Map;
    }

    String text(String name) {
        require(name);
        if (!fields.containsKey(name)) {
            return "";
        }
        if (fields.get(name) instanceof String text) {
            return text;
        }
        problem("%s of %s must be a text; numbers and the like need quotes".formatted(name, path));
        return "";
    }

    void optionalText(String name, Consumer<String> found) {
        if (has(name)) {
            found.accept(text(name));
        }
    }

    int number(String name, int otherwise) {
        if (has(name)) {
            if (fields.get(name) instanceof Integer number) {
                return number;
            }
            problem("%s of %s must be a whole number".formatted(name, path));
        }
        return otherwise;
    }

    void require(String name) {
        if (!has(name)) {
            problem("%s of %s is missing".formatted(name, path));
        }
    }

    /** In lower case, as the rest of the file. */
    <E extends Enum<E>> E constant(String name, Class<E> type, E otherwise) {
        if (has(name)) {
            for (E constant : type.getEnumConstants()) {
                if (written(constant).equals(fields.get(name))) {
                    return constant;
                }
            }
            problem("%s of %s must be one of %s"
                    .formatted(
                            name,
                            path,
                            Arrays.stream(type.getEnumConstants())
                                    .map(Fields::written)
                                    .toList()));
        }
        return otherwise;
    }

    private static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    void duration(String name, Consumer<Duration> found) {
        if (has(name)) {
            try {
                found.accept(Duration.parse(text(name)));
            } catch (DateTimeParseException e) {
                problem("%s of %s must be a duration such as PT2M".formatted(name, path));
            }
        }
    }

    Fields object(String name) {
        require(name);
        return new Fields(
                source, step, name, fields.getOrDefault(name, Map.of()), has(name) ? problems : new ArrayList<>());
    }

    /** The objects of a list, each named by its own field {@code name} in what is said of it. */
    List<Fields> objects(String name) {
        List<Fields> objects = new ArrayList<>();
        if (has(name) && fields.get(name) instanceof List<?> list) {
            for (Object item : list) {
                String named = item instanceof Map<?, ?> map && map.get("name") instanceof String text ? text : null;
                objects.add(new Fields(source, named, "the step", item, problems));
            }
        } else {
            problem("%s of %s must be a list".formatted(name, path));
        }
        return objects;
    }

    /** The name of the step that this is. */
    String step() {
        return text("name");
    }

    /** Nothing more will be asked for: what is left is a typo. */
    void end() {
        fields.keySet().stream()
                .filter(name -> !asked.contains(name))
                .forEach(name -> problem("%s of %s is not known; there can be %s".formatted(name, path, asked)));
    }

    private void problem(String text) {
        problems.add(new DefinitionProblem(source, step, DefinitionRule.FORM, text));
    }
}
