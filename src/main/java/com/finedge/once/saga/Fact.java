package com.finedge.once.saga;

/**
 * Something a saga tells everyone about itself.
 *
 * @param messageId names the message: each fact of a saga is told once
 */
public record Fact(String messageId, String queue, String type, SagaData data) {}
