package com.finedge.once.saga;

import org.jspecify.annotations.Nullable;

/**
 * What a participant has recorded of one step of one saga.
 *
 * @param forward how its action was answered, if it was
 * @param undo how its undo was answered, if it was; without an action it is a tombstone
 */
public record Operation(@Nullable Answer forward, @Nullable Answer undo) {

    /** Nothing yet. */
    public static final Operation NONE = new Operation(null, null);

    /** Whether its action will never be done: it was undone, or there was nothing to undo. */
    boolean isUndone() {
        return undo != null && undo.outcome() == ReplyOutcome.SUCCEEDED;
    }
}
