package com.finedge.once.inbox;

/** What became of a message. */
public sealed interface InboxResult<T> {

    /**
     * It was new: its work was done.
     *
     * @param value what the work returned
     */
    record Applied<T>(T value) implements InboxResult<T> {}

    /** Its work had been done before. */
    record Duplicate<T>() implements InboxResult<T> {}
}
