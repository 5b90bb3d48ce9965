package com.finedge.once.order;

import com.finedge.once.saga.Answer;
import com.finedge.once.saga.Operation;
import com.finedge.once.saga.ParticipantStore;
import java.util.UUID;

/** A mutant: an undo that finds nothing to undo leaves no tombstone. The tests that prove anything must find it out. */
public record ForgetfulParticipantStore(ParticipantStore store) implements ParticipantStore {

    @Override
    public Operation lock(UUID sagaId, String step) {
        return store.lock(sagaId, step);
    }

    @Override
    public void acted(UUID sagaId, String step, Answer answer) {
        store.acted(sagaId, step, answer);
    }

    @Override
    public void undone(UUID sagaId, String step, Answer answer) {
        if (store.lock(sagaId, step).forward() != null) {
            store.undone(sagaId, step, answer);
        }
    }
}
