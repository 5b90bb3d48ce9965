package com.finedge.once.saga;

/** What becomes of a message that starts a saga. */
public sealed interface StartDecision {

    /** The saga is new. */
    record Started(Decision decision) implements StartDecision {}

    /**
     * The message lacks something that the definition needs: it will never start one.
     *
     * @param reason what is missing, without values of the message
     */
    record Impossible(String reason) implements StartDecision {}
}
