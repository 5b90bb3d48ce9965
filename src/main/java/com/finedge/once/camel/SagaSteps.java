package com.finedge.once.camel;

import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import com.finedge.once.contract.SagaNotice;
import com.finedge.once.contract.SagaReply;
import com.finedge.once.saga.Direction;
import com.finedge.once.saga.ReplyOutcome;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.SagaDefinition;
import com.finedge.once.saga.SagaDefinitions;
import com.finedge.once.saga.SagaEvent.Reply;
import com.finedge.once.saga.SagaResult;
import com.finedge.once.saga.SagaTimers;
import com.finedge.once.saga.Sagas;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.apache.camel.Exchange;
import org.apache.camel.Variable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of the routes {@code order-saga} and {@code saga-timers}. */
public final class SagaSteps {

    private static final Logger log = LoggerFactory.getLogger(SagaSteps.class);

    private final Sagas sagas;
    private final SagaTimers timers;
    private final SagaDefinitions definitions;
    private final Function<String, String> types;
    private final Function<String, SagaReply> replies;
    private final Function<String, SagaNotice> notices;

    /**
     * @param types reads the type of a message
     * @param replies reads an answer
     * @param notices reads what starts a saga or asks it to turn back
     */
    public SagaSteps(
            Sagas sagas,
            SagaTimers timers,
            SagaDefinitions definitions,
            Function<String, String> types,
            Function<String, SagaReply> replies,
            Function<String, SagaNotice> notices) {
        this.sagas = sagas;
        this.timers = timers;
        this.definitions = definitions;
        this.types = types;
        this.replies = replies;
        this.notices = notices;
    }

    /**
     * Applies the message to its saga, in one transaction.
     *
     * @throws InvalidMessageException if it can't be read, or could never start a saga
     * @throws RuntimeException of the database, or if others must see to it: then it comes again
     */
    public void apply(@Variable("message") ReceivedMessage message) {
        String type = types.apply(message.body());
        Optional<SagaDefinition> started = definitions.startedBy(type);
        Optional<SagaDefinition> cancelled = definitions.cancelledBy(type);
        SagaResult result;
        if (started.isPresent()) {
            SagaNotice notice = notices.apply(message.body());
            result = sagas.start(
                    notice.id(),
                    started.get(),
                    new SagaData(notice.data()),
                    notice.traceparent().orElse(message.traceparent()));
        } else if (cancelled.isPresent()) {
            SagaNotice notice = notices.apply(message.body());
            result = sagas.cancel(notice.id(), cancelled.get(), new SagaData(notice.data()));
        } else {
            SagaReply reply = replies.apply(message.body());
            LogContext.saga(reply.sagaId());
            result = sagas.reply(
                    reply.id(),
                    reply.sagaId(),
                    new Reply(
                            reply.commandId(),
                            Direction.valueOf(reply.direction().name()),
                            reply.attempt(),
                            ReplyOutcome.valueOf(reply.outcome().name()),
                            new SagaData(reply.data())),
                    message.body());
        }
        log.debug("{}: {}", message, result);
        if (result instanceof SagaResult.Impossible(String reason)) {
            throw new InvalidMessageException(Code.INVALID_VALUE, reason);
        }
    }

    /** Parks the saga that the message was for, if its attributes still say which. */
    public void unreadable(Exchange exchange, @Variable("message") ReceivedMessage message) {
        sagaId(exchange.getMessage().getHeader(MessageAttributes.SAGA_ID, String.class))
                .ifPresent(sagaId -> {
                    log.warn("{}: {}", message, sagas.unreadable("unreadable:" + message.id(), sagaId));
                    sagas.find(sagaId)
                            .ifPresent(found -> exchange.setVariable(
                                    "businessKey", found.saga().businessKey()));
                });
    }

    /** An attribute is anybody's text, and {@link UUID#fromString} reads what no UUID is written like. */
    private static Optional<UUID> sagaId(@Nullable String text) {
        try {
            return Optional.ofNullable(text)
                    .map(UUID::fromString)
                    .filter(sagaId -> sagaId.toString().equalsIgnoreCase(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Wakes the sagas that are due. */
    public void wake() {
        timers.wake();
    }

    /** Counts the sagas. */
    public void count() {
        sagas.count();
    }
}
