package com.finedge.once.support;

/** Where a process that brings orders through can be made to end, as by a power cut: nothing is finished or given back. */
public enum HaltingPoint {

    /** A saga's transition is committed, and nothing of what it sends has left. */
    TRANSITION_COMMITTED,

    /** A batch of messages has left, and isn't marked. */
    PUBLISHED,

    /** A saga's transition is committed and what it sends has left, and the message that moved it isn't deleted. */
    APPLIED,

    /** A timer has woken a saga, its transaction open. */
    TIMER_INSIDE,

    /** A participant has done its step and written its answer, its transaction open. */
    PARTICIPANT_INSIDE,

    /** A participant has committed, and the command isn't deleted. */
    PARTICIPANT_COMMITTED
}
