package com.finedge.once.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a schema no longer promises that its released version did: a message that was valid must stay valid, and a
 * reader must keep finding the fields it counts on.
 *
 * <p>A change that can't be shown to be harmless, a changed pattern for instance, counts as breaking; so does a keyword
 * that isn't known here.
 */
final class SchemaChanges {

    private static final Set<String> ANNOTATIONS =
            Set.of("title", "description", "$comment", "examples", "default", "deprecated");

    private static final String MESSAGE = "the message";

    private final String file;
    private final JsonNode released;
    private final List<String> breaking = new ArrayList<>();

    private SchemaChanges(String file, JsonNode released) {
        this.file = file;
        this.released = released;
    }

    /** One sentence for each breaking change, each naming the file and the field; empty where there is none. */
    static List<String> breaking(String file, JsonNode released, JsonNode current) {
        SchemaChanges changes = new SchemaChanges(file, inlined(released, released));
        changes.compare(MESSAGE, changes.released, inlined(current, current));
        return List.copyOf(changes.breaking);
    }

    private void breaks(String change) {
        breaking.add(file + ": " + change);
    }

    private void compare(String name, JsonNode before, JsonNode now) {
        Set<String> keywords = new LinkedHashSet<>();
        before.fieldNames().forEachRemaining(keywords::add);
        now.fieldNames().forEachRemaining(keywords::add);
        keywords.removeAll(ANNOTATIONS);
        for (String keyword : keywords) {
            JsonNode was = before.path(keyword);
            JsonNode is = now.path(keyword);
            if (!was.equals(is)) {
                compareKeyword(name, keyword, was, is);
            }
        }
    }

    private void compareKeyword(String name, String keyword, JsonNode was, JsonNode is) {
        switch (keyword) {
            case "properties" -> properties(name, was, is);
            case "required" -> required(name, was, is);
            case "type" -> choices(name, "type", types(was), types(is));
            case "enum" -> choices(name, "value", items(was), items(is));
            case "const", "pattern", "format" -> {
                if (!is.isMissingNode()) {
                    breaks(name + " has a new or changed " + keyword + ", so that valid values may be refused.");
                }
            }
            case "minLength", "minimum", "exclusiveMinimum", "minItems", "minProperties" -> {
                if (!is.isMissingNode()
                        && (was.isMissingNode() || is.decimalValue().compareTo(was.decimalValue()) > 0)) {
                    breaks(name + " has a higher " + keyword + ".");
                }
            }
            case "maxLength", "maximum", "exclusiveMaximum", "maxItems", "maxProperties" -> {
                if (!is.isMissingNode()
                        && (was.isMissingNode() || is.decimalValue().compareTo(was.decimalValue()) < 0)) {
                    breaks(name + " has a lower " + keyword + ".");
                }
            }
            case "additionalProperties" -> {
                if (!is.isMissingNode() && !(is.isBoolean() && is.booleanValue())) {
                    breaks(name + " no longer accepts every unknown field.");
                }
            }
            case "allOf" -> conditions(was, is);
            default -> breaks(name + " has a changed " + keyword + ", whose effect is unknown.");
        }
    }

    private void properties(String name, JsonNode was, JsonNode is) {
        for (Map.Entry<String, JsonNode> property : was.properties()) {
            String field = field(name, property.getKey());
            if (is.has(property.getKey())) {
                compare(field, property.getValue(), is.get(property.getKey()));
            } else {
                breaks(field + " was removed or renamed.");
            }
        }
    }

    private static String field(String parent, String name) {
        return parent.equals(MESSAGE) ? name : parent + "." + name;
    }

    private void required(String name, JsonNode was, JsonNode is) {
        for (String field : difference(items(is), items(was))) {
            breaks(field(name, field) + " is required now, but released senders needn't send it.");
        }
        for (String field : difference(items(was), items(is))) {
            breaks(field(name, field) + " is no longer required, but released readers count on it.");
        }
    }

    private void choices(String name, String what, Set<String> was, Set<String> is) {
        if (was.isEmpty()) {
            breaks(name + " is now restricted by its " + what + ".");
        } else if (!is.isEmpty()) {
            for (String gone : difference(was, is)) {
                breaks(name + " no longer allows the " + what + " " + gone + ".");
            }
        }
    }

    /**
     * Conditions of the form "if a field has one of these values, then that field has this rule" are compared value by
     * value, so that a new value may come with a rule of its own; of another form none may be new.
     */
    private void conditions(JsonNode was, JsonNode is) {
        Map<String, Set<String>> rulesBefore = rulesByCondition(was);
        rulesByCondition(is).forEach((condition, rules) -> {
            boolean concernsReleasedMessages = isOfReleasedValues(condition);
            for (String rule : difference(rules, rulesBefore.getOrDefault(condition, Set.of()))) {
                if (concernsReleasedMessages) {
                    breaks("Where " + condition + " there is a new or changed rule: " + rule + ".");
                }
            }
        });
    }

    private static Map<String, Set<String>> rulesByCondition(JsonNode allOf) {
        Map<String, Set<String>> rules = new TreeMap<>();
        for (JsonNode entry : allOf) {
            JsonNode conditions = entry.path("if").path("properties");
            Map.Entry<String, JsonNode> only =
                    conditions.size() == 1 ? conditions.properties().iterator().next() : null;
            if (only != null
                    && entry.size() == 2
                    && entry.has("then")
                    && entry.get("if").size() == 1
                    && only.getValue().size() == 1
                    && only.getValue().has("enum")) {
                for (String value : items(only.getValue().get("enum"))) {
                    rules.computeIfAbsent(condition(only.getKey(), value), key -> new TreeSet<>())
                            .add(entry.get("then").toString());
                }
            } else {
                rules.computeIfAbsent("anything holds", key -> new TreeSet<>()).add(entry.toString());
            }
        }
        return rules;
    }

    private boolean isOfReleasedValues(String condition) {
        for (Map.Entry<String, JsonNode> property : released.path("properties").properties()) {
            JsonNode allowed = property.getValue().path("enum");
            if (!allowed.isMissingNode() && condition.startsWith(property.getKey() + " is ")) {
                return items(allowed).stream().anyMatch(value -> condition.equals(condition(property.getKey(), value)));
            }
        }
        return true;
    }

    private static String condition(String field, String value) {
        return field + " is " + value;
    }

    /** The node with what its references point at in their place, so that a change there shows where it acts. */
    private static JsonNode inlined(JsonNode root, JsonNode node) {
        if (node instanceof ArrayNode array) {
            ArrayNode copy = array.arrayNode();
            array.forEach(item -> copy.add(inlined(root, item)));
            return copy;
        }
        if (!(node instanceof ObjectNode object)) {
            return node;
        }
        ObjectNode copy = object.objectNode();
        JsonNode reference = object.path("$ref");
        if (!reference.isMissingNode()) {
            copy.setAll((ObjectNode) inlined(root, root.required("$defs").required(definition(reference.textValue()))));
        }
        object.properties().forEach(entry -> {
            if (!entry.getKey().equals("$ref") && !entry.getKey().equals("$defs")) {
                copy.set(entry.getKey(), inlined(root, entry.getValue()));
            }
        });
        return copy;
    }

    private static String definition(String reference) {
        String definitions = "#/$defs/";
        if (!reference.startsWith(definitions)) {
            throw new IllegalArgumentException("Only references to $defs can be compared: " + reference);
        }
        return reference.substring(definitions.length());
    }

    private static Set<String> types(JsonNode type) {
        Set<String> types = type.isTextual() ? new TreeSet<>(Set.of(type.textValue())) : items(type);
        if (types.contains("number")) {
            types.add("integer");
        }
        return types;
    }

    private static Set<String> items(JsonNode array) {
        Set<String> items = new TreeSet<>();
        array.forEach(item -> items.add(item.asText()));
        return items;
    }

    private static Set<String> difference(Set<String> some, Set<String> others) {
        Set<String> difference = new TreeSet<>(some);
        difference.removeAll(others);
        return difference;
    }
}
