package com.finedge.once.saga;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a participant has recorded of one step of one saga.
 *
 * @param forward how its action was answered, if it was
 * @param undo how its undo was answered, if it was; without an action it is a tombstone
 * @param started that somebody outside may have been asked to do it, if so
 */
public record Operation(
        @Nullable Answer forward,
        @Nullable Answer undo,
        @Nullable Started started) {

    /** Nothing yet. */
    public static final Operation NONE = new Operation(null, null, null);

    /** Whether its action will never be done: it was undone, or there was nothing to undo. */
    boolean isUndone() {
        return undo != null && undo.outcome() == ReplyOutcome.SUCCEEDED;
    }

    boolean isDone() {
        return forward != null && forward.outcome() == ReplyOutcome.SUCCEEDED;
    }

    /** Whether it may be done outside, and nothing here says so. */
    boolean isUnaccountedFor() {
        return started != null && forward == null;
    }

    boolean isOwnedBy(UUID owner) {
        return started != null && owner.equals(started.owner());
    }
}
