package com.finedge.once.saga;

/** Why somebody should look at a saga; a tag of meters. */
public enum Attention {
    /** A step isn't answered, and its attempts are spent. */
    NO_REPLY,
    /** An undo isn't confirmed after several attempts. */
    UNDO_NOT_CONFIRMED,
    /** A step was done after it had been refused. */
    CONTRADICTION,
    /** An answer fits nothing that was asked. */
    ILLEGAL_REPLY,
    /** An answer couldn't be read. */
    UNREADABLE_REPLY
}
