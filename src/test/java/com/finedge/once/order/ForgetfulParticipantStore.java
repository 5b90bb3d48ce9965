package com.finedge.once.order;

import com.finedge.once.saga.Answer;
import com.finedge.once.saga.ParticipantStore;
import java.util.UUID;

/** A mutant: an undo that finds nothing to undo leaves no tombstone. The tests that prove anything must find it out. */
public record ForgetfulParticipantStore(ParticipantStore store) implements ForwardingParticipantStore {

    @Override
    public void undone(UUID sagaId, String step, Answer answer) {
        if (store.lock(sagaId, step).forward() != null) {
            store.undone(sagaId, step, answer);
        }
    }
}
