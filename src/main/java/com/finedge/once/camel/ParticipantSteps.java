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
import com.finedge.once.saga.CommandResult;
import com.finedge.once.saga.Direction;
import com.finedge.once.saga.OutsideAnswer;
import com.finedge.once.saga.OutsideEffects;
import com.finedge.once.saga.Participant;
import com.finedge.once.saga.ParticipantListener;
import com.finedge.once.saga.Participation;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.SagaIds;
import com.finedge.once.saga.StepEffects;
import com.finedge.once.saga.UndoResult;
import java.time.Duration;
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
        LogContext.saga(command.sagaId());
    }

    /**
     * Does or undoes the step and answers, in one transaction on this thread. Where the step has an effect outside the
     * database, which the route "call" asks for, it leaves in the variable "delay" how long the message is to be put off,
     * if it is.
     */
    public void handle(
            Exchange exchange,
            @Variable("command") SagaCommand command,
            @Variable("call") String call,
            @Variable("ask") String ask,
            @Variable("callBack") String callBack,
            @Variable("action") String action,
            @Variable("undo") String undo,
            @Variable("undoNotNeeded") String undoNotNeeded) {
        if (command.direction() == SagaCommand.Direction.UNDO && undo.isEmpty()) {
            throw new InvalidMessageException(Code.INVALID_VALUE, "direction", "must be DO for a step without an undo");
        }
        Direction direction = Direction.valueOf(command.direction().name());
        Participant.Answers answers = (answer, replyId, factId) -> tell(command, answer, replyId, factId);
        RouteEffects effects = new RouteEffects(command, null, action, undo, undoNotNeeded);
        CommandResult result = call.isEmpty()
                ? new CommandResult.Handled(
                        participant.handle(command.id(), command.sagaId(), command.step(), direction, effects, answers))
                : participant.handle(
                        command.id(),
                        command.sagaId(),
                        command.step(),
                        direction,
                        new RouteOutside(command, call, ask, callBack, effects),
                        answers);
        log.debug("{}: {}", command, result);
        switch (result) {
            case CommandResult.Handled(Participation participation) ->
                listener.handled(command.step(), direction, participation);
            case CommandResult.InProgress(Instant until) -> {
                Duration delay = Duration.between(clock.instant(), until);
                // SQS counts in whole seconds, and one that is over by a hair would bring the message a little early.
                exchange.setVariable("delay", delay.isNegative() ? Duration.ZERO : delay.plusSeconds(1));
            }
        }
    }

    private void tell(SagaCommand command, Answer answer, @Nullable String replyId, @Nullable String factId) {
        Instant now = clock.instant();
        if (replyId != null) {
            SagaReply reply = command.answered(
                    replyId,
                    answer.type(),
                    command.step(),
                    now,
                    SagaReply.Outcome.valueOf(answer.outcome().name()),
                    answer.data().values());
            outbox.add(message(replyId, command.replyTo(), replies.apply(reply), null, command, answer));
        }
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

    /** Calls a team's route on this thread, and returns what it leaves as its body. */
    private <T> T call(String endpoint, SagaCommand command, Map<String, @Nullable Object> variables, Class<T> type) {
        Exchange answered = routes.send(endpoint, exchange -> {
            exchange.setVariable("command", command);
            variables.forEach(exchange::setVariable);
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

    /** The effects that stand in a team's own routes, called on this thread: another one would be outside the transaction. */
    private final class RouteEffects implements StepEffects {

        private final SagaCommand command;
        private final @Nullable OutsideAnswer outside;
        private final String action;
        private final String undo;
        private final String undoNotNeeded;

        private RouteEffects(
                SagaCommand command,
                @Nullable OutsideAnswer outside,
                String action,
                String undo,
                String undoNotNeeded) {
            this.command = command;
            this.outside = outside;
            this.action = action;
            this.undo = undo;
            this.undoNotNeeded = undoNotNeeded;
        }

        private RouteEffects of(SagaCommand other) {
            return new RouteEffects(other, outside, action, undo, undoNotNeeded);
        }

        private RouteEffects after(@Nullable OutsideAnswer answer) {
            return new RouteEffects(command, answer, action, undo, undoNotNeeded);
        }

        @Override
        public ActionResult act() {
            return ParticipantSteps.this.call(action, command, variables(SagaData.EMPTY), ActionResult.class);
        }

        @Override
        public UndoResult undo(SagaData done) {
            return ParticipantSteps.this.call(undo, command, variables(done), UndoResult.class);
        }

        @Override
        public String notNeeded() {
            return undoNotNeeded;
        }

        private Map<String, @Nullable Object> variables(SagaData done) {
            return outside == null ? Map.of("done", done) : Map.of("done", done, "outside", outside);
        }
    }

    /** What a team's own routes ask outside the database. */
    private final class RouteOutside implements OutsideEffects {

        private final SagaCommand command;
        private final String call;
        private final String ask;
        private final String callBack;
        private final RouteEffects effects;

        private RouteOutside(SagaCommand command, String call, String ask, String callBack, RouteEffects effects) {
            this.command = command;
            this.call = call;
            this.ask = ask;
            this.callBack = callBack;
            this.effects = effects;
        }

        @Override
        public OutsideAnswer call(String key, boolean again) {
            return outside(call, Map.of("idempotencyKey", key, "again", again));
        }

        @Override
        public OutsideAnswer ask(String key) {
            return outside(ask, Map.of("idempotencyKey", key));
        }

        @Override
        public OutsideAnswer callBack(String key, String calledKey, OutsideAnswer.Done done) {
            return outside(callBack, Map.of("idempotencyKey", key, "calledKey", calledKey, "outside", done));
        }

        @Override
        public SagaData commanded() {
            return new SagaData(command.data());
        }

        @Override
        public ActionResult actLate(OutsideAnswer.Done answer, SagaData commanded) {
            return effects.of(asAction(commanded)).after(answer).act();
        }

        /** The undo's command with the data of the action: it is the action that is recorded. */
        private SagaCommand asAction(SagaData commanded) {
            return new SagaCommand(
                    command.id(),
                    command.type(),
                    command.source(),
                    command.time(),
                    command.sagaId(),
                    command.sagaType(),
                    command.definitionVersion(),
                    command.businessKey(),
                    command.step(),
                    SagaCommand.Direction.DO,
                    SagaIds.command(command.sagaId(), command.step(), Direction.DO),
                    command.attempt(),
                    command.replyTo(),
                    command.notAfter(),
                    command.traceparent(),
                    commanded.values());
        }

        private OutsideAnswer outside(String endpoint, Map<String, @Nullable Object> variables) {
            return ParticipantSteps.this.call(endpoint, command, variables, OutsideAnswer.class);
        }

        @Override
        public StepEffects within(@Nullable OutsideAnswer answer) {
            return effects.after(answer);
        }
    }
}
