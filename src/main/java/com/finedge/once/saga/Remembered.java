package com.finedge.once.saga;

import org.jspecify.annotations.Nullable;

/**
 * A value that a saga keeps of a message it has received.
 *
 * @param expression the {@link Template} of the value
 * @param otherwise the value until such a message was seen; without it the message must bring one
 */
public record Remembered(String expression, @Nullable String otherwise) {}
