package com.finedge.once.saga;

/** What a participant did about a command. */
public enum Participation {
    /** It has done the step, or refused to. */
    ACTED,
    /** It has undone the step, or can't. */
    UNDONE,
    /** It has seen to it that the step, which isn't done, will never be. */
    NOT_NEEDED,
    /** It has given the answer of then again. */
    REPEATED,
    /** It has refused to do what was undone before. */
    TOMBSTONED,
    /** It has done nothing: this very message was handled before. */
    DUPLICATE
}
