package com.finedge.once.contract;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A saga tells a participant to do or undo a step; an instance is always valid.
 *
 * <p>The constructor throws {@link InvalidMessageException} for the first rule that is broken, in the order of the
 * components; what they mean and their forms are in {@link SagaMessage}.
 *
 * @param replyTo the name of the queue that takes the answer: 1 to 80 ASCII letters, digits, hyphens and underscores
 * @param notAfter when the saga will have given the step up, if it ever does; doing it later is no mistake, since it will
 *     be undone
 */
public record SagaCommand(
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
        String replyTo,
        Optional<Instant> notAfter,
        Optional<String> traceparent,
        Map<String, Object> data)
        implements SagaMessage {

    public SagaCommand {
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
        Rules.queue("replyTo", replyTo);
        notAfter = Rules.present("notAfter", notAfter).map(moment -> Rules.time("notAfter", moment));
        Rules.present("traceparent", traceparent).ifPresent(context -> Rules.traceparent("traceparent", context));
        data = Rules.data("data", data);
    }

    /**
     * The answer to this command.
     *
     * @param id names the answer; another one for every command that was received, as they are all to be answered
     * @param type what was done, such as {@code PaymentTaken.v1}
     * @param data what the saga's definition remembers of it, and what others may want to know
     */
    public SagaReply answered(
            String id, String type, String source, Instant time, SagaReply.Outcome outcome, Map<String, Object> data) {
        return new SagaReply(
                id,
                type,
                source,
                time,
                sagaId,
                sagaType,
                definitionVersion,
                businessKey,
                step,
                direction,
                commandId,
                attempt,
                this.id,
                outcome,
                traceparent,
                data);
    }

    /** Without the data, which may be a customer's. */
    @Override
    public String toString() {
        return "SagaCommand[id=" + id + ", type=" + type + ", sagaId=" + sagaId + ", businessKey=" + businessKey
                + ", step=" + step + ", direction=" + direction + ", attempt=" + attempt + "]";
    }
}
