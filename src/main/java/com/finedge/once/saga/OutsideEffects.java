package com.finedge.once.saga;

import org.jspecify.annotations.Nullable;

/**
 * A step whose effect is outside the participant's database, such as a payment at a provider. Nothing here but
 * {@link #within} runs in a transaction or under a lock. Each key names one effect, however often it is asked for; whoever
 * can't be asked, or can't say for certain, is an exception, and the command comes again.
 */
public interface OutsideEffects {

    /**
     * Asks for the step to be done.
     *
     * @param key the same at every attempt of this step of this saga
     * @param again whether it may have been asked for before
     */
    OutsideAnswer call(String key, boolean again);

    /** What is known under the key of {@link #call}. What was done and then undone counts as done. */
    OutsideAnswer ask(String key);

    /**
     * Asks for the step to be undone.
     *
     * @param key of the undo, the same at every attempt
     * @param calledKey of the call that is undone
     * @param done what was answered when it was asked for
     */
    OutsideAnswer callBack(String key, String calledKey, OutsideAnswer.Done done);

    /** The data of the command, as it is kept when the step is started. */
    SagaData commanded();

    /**
     * What is done in the database of an action that an undo has found to be done outside, within the undo's transaction.
     *
     * @param commanded the data of the action's own command; the undo's are others
     */
    ActionResult actLate(OutsideAnswer.Done answer, SagaData commanded);

    /**
     * What is done of it in the database, within the participant's transaction.
     *
     * @param answer what was answered outside; none where nobody outside was ever asked
     */
    StepEffects within(@Nullable OutsideAnswer answer);
}
