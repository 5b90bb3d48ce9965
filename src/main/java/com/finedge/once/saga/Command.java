package com.finedge.once.saga;

import java.util.UUID;

/**
 * A command to be sent to a participant.
 *
 * @param messageId names the message, another one at each attempt
 * @param commandId names the command, the same at each attempt
 * @param attempt from 1
 */
public record Command(
        String messageId,
        UUID commandId,
        String step,
        Direction direction,
        int attempt,
        String queue,
        String type,
        SagaData data) {}
