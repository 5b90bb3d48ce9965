package com.finedge.once.saga;

/** What became of an event, in one word: for the history, and a tag of meters. */
public enum Disposition {
    /** It moved the saga. */
    APPLIED,
    /** It was known before. */
    DUPLICATE,
    /** A failure that may pass: the timer will send again. */
    RETRY_LATER,
    /** A step that was given up was done: its undo is on its way. */
    LATE_SUCCESS,
    /** A step that was given up was not done: its undo goes on and will find nothing. */
    LATE_FAILURE,
    /** It was overtaken by what is known already. */
    STALE,
    /** A step was done after it had been refused. */
    CONTRADICTION,
    /** An undo wasn't done this time: the timer will send again, for ever. */
    COMPENSATION_FAILED,
    /** The pivot can't be undone: the saga goes forward again. */
    PIVOT_STANDS,
    /** It fits nothing that was asked. */
    ILLEGAL,
    /** There is no such saga; the store's to say, since there is none to decide about. */
    ORPHAN,
    /** An answer couldn't be read. */
    POISON,
    /** The attempt's time is over: the command is sent again. */
    RESENT,
    /** All attempts are spent: the step is in doubt, and the saga turns back. */
    TIMED_OUT,
    /** It was woken before the attempt's time was over, counted from when its command has left. */
    REARMED,
    /** The participant is slow for everyone: nothing is sent, and nothing given up. */
    HELD,
    /** It can't turn back any more. */
    CANNOT_BE_CANCELLED,
    /** The operator's verb doesn't fit where the saga is. */
    NOT_APPLICABLE
}
