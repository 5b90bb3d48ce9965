package com.finedge.once.order;

import com.finedge.once.saga.Answer;
import com.finedge.once.saga.Operation;
import com.finedge.once.saga.ParticipantStore;
import com.finedge.once.saga.SagaData;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;

/** Does what another store does, but for what a mutant does its own way. */
interface ForwardingParticipantStore extends ParticipantStore {

    ParticipantStore store();

    @Override
    default <T> T transact(Supplier<T> work) {
        return store().transact(work);
    }

    @Override
    default Operation lock(UUID sagaId, String step) {
        return store().lock(sagaId, step);
    }

    @Override
    default void acted(UUID sagaId, String step, Answer answer) {
        store().acted(sagaId, step, answer);
    }

    @Override
    default void undone(UUID sagaId, String step, Answer answer) {
        store().undone(sagaId, step, answer);
    }

    @Override
    default void start(UUID sagaId, String step, SagaData commanded, UUID owner, Instant until) {
        store().start(sagaId, step, commanded, owner, until);
    }

    @Override
    default void takeOver(UUID sagaId, String step, UUID owner, Instant until) {
        store().takeOver(sagaId, step, owner, until);
    }

    @Override
    default void wantUndo(UUID sagaId, String step) {
        store().wantUndo(sagaId, step);
    }

    @Override
    default void release(UUID sagaId, String step, UUID owner) {
        store().release(sagaId, step, owner);
    }
}
