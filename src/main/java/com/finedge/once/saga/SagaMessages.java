package com.finedge.once.saga;

import com.finedge.once.outbox.OutboxMessage;

/** Writes what a saga sends. */
public interface SagaMessages {

    /** The message that carries a command, its id {@link Command#messageId}. */
    OutboxMessage command(SagaDefinition definition, Saga saga, Command command);

    /** The message that tells a fact, its id {@link Fact#messageId}. */
    OutboxMessage fact(SagaDefinition definition, Saga saga, Fact fact);
}
