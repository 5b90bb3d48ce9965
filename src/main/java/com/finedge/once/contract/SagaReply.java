package com.finedge.once.contract;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A participant answers a command of a saga; an instance is always valid.
 *
 * <p>The constructor throws {@link InvalidMessageException} for the first rule that is broken, in the order of the
 * components; what they mean and their forms are in {@link SagaMessage}. Senders use {@link SagaCommand#answered}, which
 * says again what the command has said.
 *
 * @param inReplyTo the id of the message that is answered
 */
public record SagaReply(
        String id,
        String type,
        String source,
        Instant time,
        UUID sagaId,
        String sagaType,
        int definitionVersion,
        String businessKey,
        String step,
        Direction direction,
        UUID commandId,
        int attempt,
        String inReplyTo,
        Outcome outcome,
        Optional<String> traceparent,
        Map<String, Object> data)
        implements SagaMessage {

    /** What became of the command. */
    public enum Outcome {
        /** It is done or undone, or there was nothing to undo. */
        SUCCEEDED,
        /** It won't be done. Recorded, and never answered otherwise later. */
        REFUSED,
        /** It wasn't done this time, and may be the next. */
        FAILED_TRANSIENT,
        /** The step was undone before it was done, and will never be done any more. */
        TOMBSTONED,
        /** It is done and can't be undone; only the one step that decides the saga may say so. */
        CANNOT_UNDO
    }

    public SagaReply {
        Rules.key("id", id);
        Rules.messageType("type", type);
        Rules.name("source", source);
        time = Rules.time("time", time);
        Rules.present("sagaId", sagaId);
        Rules.name("sagaType", sagaType);
        Rules.counted("definitionVersion", definitionVersion);
        Rules.key("businessKey", businessKey);
        Rules.name("step", step);
        Rules.present("direction", direction);
        Rules.present("commandId", commandId);
        Rules.counted("attempt", attempt);
        Rules.key("inReplyTo", inReplyTo);
        Rules.present("outcome", outcome);
        Rules.present("traceparent", traceparent).ifPresent(context -> Rules.traceparent("traceparent", context));
        data = Rules.data("data", data);
    }

    /** Without the data, which may be a customer's. */
    @Override
    public String toString() {
        return "SagaReply[id=" + id + ", type=" + type + ", sagaId=" + sagaId + ", businessKey=" + businessKey
                + ", step=" + step + ", direction=" + direction + ", attempt=" + attempt + ", outcome=" + outcome + "]";
    }
}
