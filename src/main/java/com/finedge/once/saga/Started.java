package com.finedge.once.saga;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of a step that somebody outside may have been asked to do.
 *
 * @param commanded the data of the action's first command
 * @param openUntil until then such a call may be under way, though its caller has given up
 * @param undoWanted whether an undo has come, so that nobody is asked to do it any more
 * @param owner who is at it, if anybody is
 * @param leaseUntil until when nobody else is
 */
public record Started(
        SagaData commanded,
        Instant openUntil,
        boolean undoWanted,
        @Nullable UUID owner,
        @Nullable Instant leaseUntil) {

    boolean isHeldAt(Instant now) {
        return leaseUntil != null && now.isBefore(leaseUntil);
    }
}
