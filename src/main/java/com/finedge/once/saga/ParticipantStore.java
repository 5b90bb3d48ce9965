package com.finedge.once.saga;

import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;

/** What participants remember, in the database of their effects; each method joins the caller's transaction. */
public interface ParticipantStore {

    /** Does the work in one transaction, which what it throws rolls back. */
    <T> T transact(Supplier<T> work);

    /**
     * What is recorded of the step. Until the transaction ends nobody else gets an answer to this question, not even
     * where nothing is recorded yet.
     */
    Operation lock(UUID sagaId, String step);

    /** Records the answer to the step's action, of which there is none yet. */
    void acted(UUID sagaId, String step, Answer answer);

    /** Records the answer to the step's undo, of which there is none yet. Whoever owned the step owns it no more. */
    void undone(UUID sagaId, String step, Answer answer);

    /**
     * Records that somebody outside is asked to do the step from now on, and that the owner has it until then.
     *
     * @param commanded the data of the command, kept from the first start on
     */
    void start(UUID sagaId, String step, SagaData commanded, UUID owner, Instant until);

    /** Gives a step that was started, and that nobody has, to an owner that undoes it. */
    void takeOver(UUID sagaId, String step, UUID owner, Instant until);

    /** Records of a step that was started that its undo has come. */
    void wantUndo(UUID sagaId, String step);

    /** Takes the step from this owner; without effect where it is another's. */
    void release(UUID sagaId, String step, UUID owner);
}
