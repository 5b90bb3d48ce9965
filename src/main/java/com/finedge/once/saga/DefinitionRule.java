package com.finedge.once.saga;

/** What a definition must keep to. */
public enum DefinitionRule {
    /** The definition has the fields that it must have, of the right kind, and no others. */
    FORM,
    /** Names, message types and states have their forms, and there is at least one step. */
    NAMES,
    /** No two steps have one name. */
    STEP_NAMES_UNIQUE,
    /** No two steps share a state, nor does one use a state that is the saga's end. */
    STATES_UNIQUE,
    /** There is at most one pivot. */
    ONE_PIVOT,
    /** What comes after the pivot can't be compensatable: after it nothing is undone. */
    NOTHING_COMPENSATABLE_AFTER_THE_PIVOT,
    /** A retriable step comes before no other kind: it couldn't be undone if that one failed. */
    RETRIABLE_STEPS_LAST,
    /** A step that can be undone says how, or says that there is nothing to undo. */
    UNDO_DECLARED,
    /** A retriable step is never undone. */
    NO_UNDO_OF_A_RETRIABLE_STEP,
    /** An undo can be sent though the answer to its action was never seen. */
    UNDO_COMPUTABLE,
    /** Each step says how long it waits. */
    TIMEOUT_PRESENT,
    /** A time is positive, and only what can be turned back from compensates after it. */
    TIMEOUT_FITS,
    /** Expressions hold placeholders of three roots, and nothing else that could be evaluated. */
    EXPRESSIONS_READABLE,
    /** Expressions use only values that are there when they are needed. */
    EXPRESSIONS_KNOWN,
    /** A value is remembered under a name of its own. */
    REMEMBERED_ONCE,
    /** Each queue is one that the application knows. */
    QUEUE_KNOWN,
    /** A version that was published doesn't change: sagas are under way by it. */
    VERSION_IMMUTABLE
}
