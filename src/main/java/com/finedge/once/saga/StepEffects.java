package com.finedge.once.saga;

/**
 * What a participant does for one command. It runs inside the participant's transaction and on its thread; what it throws
 * rolls everything back, and the command comes again.
 */
public interface StepEffects {

    /** Does the step; is called at most once a saga in a transaction that commits. */
    ActionResult act();

    /**
     * Undoes it; is called at most once a saga in a transaction that commits, and only after {@link #act} has.
     *
     * @param done what the action has answered
     */
    UndoResult undo(SagaData done);

    /** The type of the message that says that there was nothing to undo, such as {@code PaymentRefundNotNeeded.v1}. */
    String notNeeded();
}
