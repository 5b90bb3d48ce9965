package com.finedge.once.adapter.sqs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it is set up.
 *
 * @param retention how long it keeps a message, counted from the message's first sending
 * @param maxReceiveCount how often SQS hands a message out before it moves it to the dead-letter queue by itself, if it
 *     does
 */
public record SqsQueue(
        String name,
        String url,
        Duration retention,
        @Nullable Integer maxReceiveCount) {}
