package com.finedge.once.camel;

import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import com.finedge.once.contract.SagaCommand;
import com.finedge.once.contract.SagaNotice;
import com.finedge.once.contract.SagaReply;
import com.finedge.once.outbox.Outbox;
import com.finedge.once.outbox.OutboxMessage;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.Answer;
import com.finedge.once.saga.Direction;
import com.finedge.once.saga.Participant;
import com.finedge.once.saga.ParticipantListener;
import com.finedge.once.saga.Participation;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.StepEffects;
import com.finedge.once.saga.UndoResult;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.Variable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of the routes that are made from the template {@code saga-participant}. */
public final class ParticipantSteps {

    private static final Logger log = LoggerFactory.getLogger(ParticipantSteps.class);

    private final Function<String, SagaCommand> reader;
    private final Function<SagaReply, String> replies;
    private final Function<SagaNotice, String> facts;
    private final Participant participant;
    private final ParticipantListener listener;
    private final Outbox outbox;
    private final String factsQueue;
    private final InstantSource clock;
    private final ProducerTemplate routes;

    /**
     * @param reader reads a command, strictly
     * @param replies writes an answer to the saga
     * @param facts writes what everyone may know
     * @param factsQueue the name of the queue that takes what everyone may know
     */
    public ParticipantSteps(
            Function<String, SagaCommand> reader,
            Function<SagaReply, String> replies,
            Function<SagaNotice, String> facts,
            Participant participant,
            ParticipantListener listener,
            Outbox outbox,
            String factsQueue,
            InstantSource clock,
            ProducerTemplate routes) {
        this.reader = reader;
        this.replies = replies;
        this.facts = facts;
        this.participant = participant;
        this.listener = listener;
        this.outbox = outbox;
        this.factsQueue = factsQueue;
        this.clock = clock;
        this.routes = routes;
    }

    /**
     * Reads the message into the variable "command".
     *
     * @throws InvalidMessageException if it is no valid command for this step: then it stays on its queue, which brings it
     *     to its dead-letter queue as it is
     */
    public void read(Exchange exchange, @Variable("message") ReceivedMessage message, @Variable("step") String step) {
        SagaCommand command = reader.apply(message.body());
        if (!command.step().equals(step)) {
            throw new InvalidMessageException(Code.INVALID_VALUE, "step", "must be " + step + " on this queue");
        }
        exchange.setVariable("command", command);
    }

    /** Does or undoes the step and answers, all in one transaction on this thread. */
    public void handle(
            @Variable("command") SagaCommand command,
            @Variable("action") String action,
            @Variable("undo") String undo,
            @Variable("undoNotNeeded") String undoNotNeeded) {
        if (command.direction() == SagaCommand.Direction.UNDO && undo.isEmpty()) {
            throw new InvalidMessageException(Code.INVALID_VALUE, "direction", "must be DO for a step without an undo");
        }
        Direction direction = Direction.valueOf(command.direction().name());
        Participation participation = participant.handle(
                command.id(),
                command.sagaId(),
                command.step(),
                direction,
                new RouteEffects(command, action, undo, undoNotNeeded),
                (answer, replyId, factId) -> tell(command, answer, replyId, factId));
        listener.handled(command.step(), direction, participation);
        log.debug("{}: {}", command, participation);
    }

    private void tell(SagaCommand command, Answer answer, String replyId, @Nullable String factId) {
        Instant now = clock.instant();
        SagaReply reply = command.answered(
                replyId,
                answer.type(),
                command.step(),
                now,
                SagaReply.Outcome.valueOf(answer.outcome().name()),
                answer.data().values());
        outbox.add(message(replyId, command.replyTo(), replies.apply(reply), null, command, answer));
        if (factId != null) {
            SagaNotice fact = new SagaNotice(
                    factId,
                    answer.type(),
                    command.step(),
                    now,
                    command.businessKey(),
                    command.traceparent(),
                    answer.data().values());
            // The facts of a saga go out one after another, but never in the way of its answers.
            outbox.add(message(factId, factsQueue, facts.apply(fact), command.sagaId() + ":facts", command, answer));
        }
    }

    private static OutboxMessage message(
            String id, String queue, String body, @Nullable String orderKey, SagaCommand command, Answer answer) {
        Map<String, String> attributes = new HashMap<>(
                Map.of("type", answer.type(), "sagaId", command.sagaId().toString()));
        command.traceparent().ifPresent(context -> attributes.put(MessageAttributes.TRACEPARENT, context));
        return new OutboxMessage(id, queue, body, orderKey, attributes);
    }

    /** The effects that stand in a team's own routes, called on this thread: another one would be outside the transaction. */
    private final class RouteEffects implements StepEffects {

        private final SagaCommand command;
        private final String action;
        private final String undo;
        private final String undoNotNeeded;

        private RouteEffects(SagaCommand command, String action, String undo, String undoNotNeeded) {
            this.command = command;
            this.action = action;
            this.undo = undo;
            this.undoNotNeeded = undoNotNeeded;
        }

        @Override
        public ActionResult act() {
            return call(action, SagaData.EMPTY, ActionResult.class);
        }

        @Override
        public UndoResult undo(SagaData done) {
            return call(undo, done, UndoResult.class);
        }

        @Override
        public String notNeeded() {
            return undoNotNeeded;
        }

        private <T> T call(String endpoint, SagaData done, Class<T> type) {
            Exchange answered = routes.send(endpoint, exchange -> {
                exchange.setVariable("command", command);
                exchange.setVariable("done", done);
                exchange.getMessage().setBody(command.data());
            });
            if (answered.getException() != null) {
                throw RuntimeCamelException.wrapRuntimeCamelException(answered.getException());
            }
            if (!type.isInstance(answered.getMessage().getBody())) {
                throw new IllegalStateException(
                        "the route %s must answer with %s as its body".formatted(endpoint, type.getSimpleName()));
            }
            return type.cast(answered.getMessage().getBody());
        }
    }
}
