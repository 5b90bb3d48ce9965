package com.finedge.once.saga;

import com.finedge.once.claim.Fingerprint;
import com.finedge.once.saga.SagaDefinitions.DefinitionKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Hands everything on; a test changes what it needs. */
interface ForwardingSagaStore extends SagaStore {

    SagaStore store();

    @Override
    default <T> T inTransaction(Supplier<T> work) {
        return store().inTransaction(work);
    }

    @Override
    default Optional<Saga> lock(UUID sagaId) {
        return store().lock(sagaId);
    }

    @Override
    default Optional<Due> lockDue(Collection<DefinitionKey> known) {
        return store().lockDue(known);
    }

    @Override
    default boolean hasDue(Collection<DefinitionKey> known) {
        return store().hasDue(known);
    }

    @Override
    default Optional<Duration> lastSent(Collection<String> messageIds) {
        return store().lastSent(messageIds);
    }

    @Override
    default boolean answeredSince(String queue, Duration asked) {
        return store().answeredSince(queue, asked);
    }

    @Override
    default boolean add(SagaDefinition definition, Decision started) {
        return store().add(definition, started);
    }

    @Override
    default void write(Saga before, Decision decision) {
        store().write(before, decision);
    }

    @Override
    default void pushBack(Saga saga, Duration delay, int failures) {
        store().pushBack(saga, delay, failures);
    }

    @Override
    default int wakeFailures(UUID sagaId) {
        return store().wakeFailures(sagaId);
    }

    @Override
    default void addOrphan(String messageId, UUID sagaId, String body) {
        store().addOrphan(messageId, sagaId, body);
    }

    @Override
    default Fingerprint publish(SagaDefinition definition) {
        return store().publish(definition);
    }

    @Override
    default Optional<Dossier> find(UUID sagaId) {
        return store().find(sagaId);
    }

    @Override
    default List<Stuck> stuck(int most) {
        return store().stuck(most);
    }

    @Override
    default SagaCensus census(Collection<DefinitionKey> known) {
        return store().census(known);
    }
}
