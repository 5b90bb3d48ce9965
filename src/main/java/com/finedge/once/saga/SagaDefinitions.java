package com.finedge.once.saga;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The definitions that this process knows, in all their versions. */
public final class SagaDefinitions {

    /** One version of one definition. */
    public record DefinitionKey(String type, int version) {

        static DefinitionKey of(Saga saga) {
            return new DefinitionKey(saga.type(), saga.definitionVersion());
        }

        @Override
        public String toString() {
            return type + " version " + version;
        }
    }

    private final Map<DefinitionKey, SagaDefinition> definitions;

    /** @throws IllegalArgumentException if a version is there twice, or one message starts or cancels sagas of two types */
    public SagaDefinitions(Collection<SagaDefinition> definitions) {
        this.definitions = definitions.stream()
                .collect(Collectors.toUnmodifiableMap(
                        definition -> new DefinitionKey(definition.name(), definition.version()), Function.identity()));
        requireOneType(definition -> Stream.of(definition.start().type()));
        requireOneType(definition -> Stream.ofNullable(definition.cancelType()));
    }

    private void requireOneType(Function<SagaDefinition, Stream<String>> messageTypes) {
        Map<String, String> sagas = new HashMap<>();
        for (SagaDefinition definition : definitions.values()) {
            messageTypes.apply(definition).forEach(message -> {
                String other = sagas.putIfAbsent(message, definition.name());
                if (other != null && !other.equals(definition.name())) {
                    throw new IllegalArgumentException(
                            "the message %s is for the sagas %s and %s: it can be for one only"
                                    .formatted(message, other, definition.name()));
                }
            });
        }
    }

    /** All of them. */
    public List<SagaDefinition> all() {
        return List.copyOf(definitions.values());
    }

    /** Which versions are known. */
    public List<DefinitionKey> keys() {
        return new ArrayList<>(definitions.keySet());
    }

    /**
     * The definition by which a saga goes.
     *
     * @throws UnknownVersionException if it isn't known here
     */
    SagaDefinition of(Saga saga) {
        DefinitionKey key = DefinitionKey.of(saga);
        SagaDefinition definition = definitions.get(key);
        if (definition == null) {
            throw new UnknownVersionException(key);
        }
        return definition;
    }

    /** The newest definition that a message of this type starts a saga of. */
    public Optional<SagaDefinition> startedBy(String messageType) {
        return newest(definition -> definition.start().type().equals(messageType));
    }

    /** The newest definition whose sagas a message of this type asks to turn back. */
    public Optional<SagaDefinition> cancelledBy(String messageType) {
        return newest(definition -> Objects.equals(definition.cancelType(), messageType));
    }

    private Optional<SagaDefinition> newest(Predicate<SagaDefinition> wanted) {
        return definitions.values().stream().filter(wanted).max(Comparator.comparingInt(SagaDefinition::version));
    }
}
