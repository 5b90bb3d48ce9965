package com.finedge.once.saga;

import java.util.UUID;

/** What participants remember, in the database of their effects; each method joins the caller's transaction. */
public interface ParticipantStore {

    /**
     * What is recorded of the step. Until the transaction ends nobody else gets an answer to this question, not even
     * where nothing is recorded yet.
     */
    Operation lock(UUID sagaId, String step);

    /** Records the answer to the step's action, of which there is none yet. */
    void acted(UUID sagaId, String step, Answer answer);

    /** Records the answer to the step's undo, of which there is none yet. */
    void undone(UUID sagaId, String step, Answer answer);
}
