package com.finedge.once.saga;

import java.util.Optional;
import java.util.UUID;

/** A mutant: a saga is read without its lock, and written over whatever version is there by then. */
record UnlockedSagaStore(SagaStore store, Runnable meet) implements ForwardingSagaStore {

    @Override
    public Optional<Saga> lock(UUID sagaId) {
        Optional<Saga> saga = read(sagaId);
        meet.run();
        return saga;
    }

    private Optional<Saga> read(UUID sagaId) {
        return store.find(sagaId).map(Dossier::saga);
    }

    @Override
    public void write(Saga before, Decision decision) {
        // The lock that a store can't do without makes them wait here, and then it is the newest version.
        store.lock(before.id());
        long version = read(before.id()).orElseThrow().version();
        store.write(
                at(before, version),
                new Decision(
                        decision.disposition(),
                        at(decision.saga(), version + 1),
                        decision.wakeUp(),
                        decision.commands(),
                        decision.facts(),
                        decision.note()));
    }

    private static Saga at(Saga saga, long version) {
        return new Saga(
                saga.id(),
                saga.type(),
                saga.definitionVersion(),
                saga.businessKey(),
                saga.phase(),
                saga.state(),
                saga.outcome(),
                saga.currentStep(),
                version,
                saga.data(),
                saga.steps(),
                saga.parked(),
                saga.attention(),
                saga.cancelRequested(),
                saga.announced(),
                saga.traceparent());
    }
}
