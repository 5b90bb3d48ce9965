package com.finedge.once.adapter.json;

import com.finedge.once.contract.SagaCommand;
import com.finedge.once.contract.SagaMessage.Direction;
import com.finedge.once.contract.SagaNotice;
import com.finedge.once.outbox.OutboxMessage;
import com.finedge.once.saga.Command;
import com.finedge.once.saga.Fact;
import com.finedge.once.saga.Saga;
import com.finedge.once.saga.SagaDefinition;
import com.finedge.once.saga.SagaMessages;
import com.finedge.once.saga.StepDefinition;
import com.finedge.once.saga.Timeout.Then;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What sagas send, as JSON in the forms of the contract. */
public final class JsonSagaMessages implements SagaMessages {

    private final String queuePrefix;
    private final Function<SagaCommand, String> commands;
    private final Function<SagaNotice, String> notices;
    private final InstantSource clock;

    /** @param queuePrefix what the names of queues have before the names that definitions use */
    public JsonSagaMessages(
            String queuePrefix,
            Function<SagaCommand, String> commands,
            Function<SagaNotice, String> notices,
            InstantSource clock) {
        this.queuePrefix = queuePrefix;
        this.commands = commands;
        this.notices = notices;
        this.clock = clock;
    }

    @Override
    public OutboxMessage command(SagaDefinition definition, Saga saga, Command command) {
        Instant now = clock.instant();
        SagaCommand message = new SagaCommand(
                command.messageId(),
                command.type(),
                saga.type(),
                now,
                saga.id(),
                saga.type(),
                saga.definitionVersion(),
                saga.businessKey(),
                command.step(),
                Direction.valueOf(command.direction().name()),
                command.commandId(),
                command.attempt(),
                queuePrefix + definition.replyTo(),
                notAfter(definition.step(command.step()), command, now),
                Optional.ofNullable(saga.traceparent()),
                command.data().values());
        return message(command.messageId(), command.queue(), commands.apply(message), command.type(), saga);
    }

    /** An undo is never given up, nor is a step that is held. */
    private static Optional<Instant> notAfter(StepDefinition step, Command command, Instant now) {
        long attemptsLeft = step.timeout().resend() + 2L - command.attempt();
        return command.direction() == com.finedge.once.saga.Direction.UNDO
                        || step.timeout().then() == Then.HOLD
                        || attemptsLeft < 1
                ? Optional.empty()
                : Optional.of(now.plus(step.timeout().after().multipliedBy(attemptsLeft)));
    }

    @Override
    public OutboxMessage fact(SagaDefinition definition, Saga saga, Fact fact) {
        SagaNotice notice = new SagaNotice(
                fact.messageId(),
                fact.type(),
                saga.type(),
                clock.instant(),
                saga.businessKey(),
                Optional.ofNullable(saga.traceparent()),
                fact.data().values());
        return message(fact.messageId(), fact.queue(), notices.apply(notice), fact.type(), saga);
    }

    private OutboxMessage message(String id, String queue, String body, String type, Saga saga) {
        Map<String, String> attributes =
                new HashMap<>(Map.of("type", type, "sagaId", saga.id().toString()));
        if (saga.traceparent() != null) {
            attributes.put("traceparent", saga.traceparent());
        }
        return new OutboxMessage(id, queuePrefix + queue, body, null, attributes);
    }
}
