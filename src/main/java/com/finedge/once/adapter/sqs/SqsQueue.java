package com.finedge.once.adapter.sqs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it is set up.
 *
 * @param retention how long it keeps a message, counted from the message's first sending; the longest there is where the
 *     server doesn't say
 * @param retentionIsKnown whether the server has said
 * @param maxReceiveCount how often SQS hands a message out before it moves it to the dead-letter queue by itself, if it
 *     does
 * @param deadLetterQueue the name of the queue that SQS moves it to, if it does
 */
public record SqsQueue(
        String name,
        String url,
        Duration retention,
        boolean retentionIsKnown,
        @Nullable Integer maxReceiveCount,
        @Nullable String deadLetterQueue) {}
