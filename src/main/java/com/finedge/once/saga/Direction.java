package com.finedge.once.saga;

/** Which of a step's two commands is meant. */
public enum Direction {
    /** The action. */
    DO,
    /** Its undo. */
    UNDO
}
