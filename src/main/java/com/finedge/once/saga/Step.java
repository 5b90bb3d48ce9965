package com.finedge.once.saga;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of one step of one saga.
 *
 * @param forwardAttempts how often its action was sent
 * @param forwardReply the answer to its action, once there was one that says what became of it
 * @param undoAttempts how often its undo was sent
 * @param undoReply the answer to its undo, likewise
 */
public record Step(
        String name,
        ForwardStatus forward,
        UUID forwardCommandId,
        int forwardAttempts,
        @Nullable SagaData forwardReply,
        UndoStatus undo,
        UUID undoCommandId,
        int undoAttempts,
        @Nullable SagaData undoReply) {

    /** A step that nothing has happened to yet. */
    static Step of(UUID sagaId, String name) {
        return new Step(
                name,
                ForwardStatus.NOT_STARTED,
                SagaIds.command(sagaId, name, Direction.DO),
                0,
                null,
                UndoStatus.NONE,
                SagaIds.command(sagaId, name, Direction.UNDO),
                0,
                null);
    }

    /** Whether it was done, or may have been. */
    boolean mayBeDone() {
        return forward == ForwardStatus.SUCCEEDED || forward == ForwardStatus.IN_DOUBT;
    }

    Step forward(ForwardStatus status) {
        return forward(status, forwardReply);
    }

    Step forward(ForwardStatus status, @Nullable SagaData reply) {
        return new Step(
                name, status, forwardCommandId, forwardAttempts, reply, undo, undoCommandId, undoAttempts, undoReply);
    }

    Step forwardSent() {
        return new Step(
                name,
                ForwardStatus.PENDING,
                forwardCommandId,
                forwardAttempts + 1,
                forwardReply,
                undo,
                undoCommandId,
                undoAttempts,
                undoReply);
    }

    Step undo(UndoStatus status, @Nullable SagaData reply) {
        return new Step(
                name,
                forward,
                forwardCommandId,
                forwardAttempts,
                forwardReply,
                status,
                undoCommandId,
                undoAttempts,
                reply);
    }

    Step undoSent() {
        return new Step(
                name,
                forward,
                forwardCommandId,
                forwardAttempts,
                forwardReply,
                UndoStatus.PENDING,
                undoCommandId,
                undoAttempts + 1,
                undoReply);
    }
}
