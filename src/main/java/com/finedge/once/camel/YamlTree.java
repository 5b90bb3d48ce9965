package com.finedge.once.camel;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A YAML file that still knows its lines, read by the parser that Camel reads it with.
 *
 * @param name the key it stands under, or nothing for the items of a list
 * @param line where it begins, from 1: its key's line if it has one
 */
record YamlTree(String name, int line, Node node) {

    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setAllowDuplicateKeys(false).build();

    /** @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException if it is no YAML, or a key stands there twice */
    static Optional<YamlTree> of(String text) {
        Optional<YamlTree> tree = new Compose(SETTINGS).composeString(text).map(node -> item("", node));
        tree.ifPresent(YamlTree::values);
        return tree;
    }

    /** As maps, lists, strings, numbers and booleans. */
    Object values() {
        return new StandardConstructor(SETTINGS).constructSingleDocument(Optional.of(node));
    }

    List<YamlTree> items() {
        return node instanceof SequenceNode list
                ? list.getValue().stream().map(item -> item("", item)).toList()
                : List.of();
    }

    List<YamlTree> fields() {
        return node instanceof MappingNode map
                ? map.getValue().stream()
                        .map(field -> new YamlTree(
                                ((ScalarNode) field.getKeyNode()).getValue(),
                                lineOf(field.getKeyNode()),
                                field.getValueNode()))
                        .toList()
                : List.of();
    }

    Optional<YamlTree> field(String name) {
        return fields().stream().filter(field -> field.name.equals(name)).findFirst();
    }

    /** The text of a field that has one. */
    @Nullable
    String textOf(String name) {
        return field(name).map(YamlTree::text).orElse(null);
    }

    /** Its text, if it is no list and no map. */
    @Nullable
    String text() {
        return node instanceof ScalarNode scalar ? scalar.getValue() : null;
    }

    boolean isList() {
        return node instanceof SequenceNode;
    }

    private static YamlTree item(String name, Node node) {
        return new YamlTree(name, lineOf(node), node);
    }

    private static int lineOf(Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }
}
