package com.finedge.once.saga;

/**
 * What a participant answers to a command.
 *
 * @param type of the message that carries it
 */
public record Answer(ReplyOutcome outcome, String type, SagaData data) {}
