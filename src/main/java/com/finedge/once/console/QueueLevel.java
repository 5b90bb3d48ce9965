package com.finedge.once.console;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How full a queue is, about.
 *
 * @param deadLetters whether it takes what could not be done
 * @param waiting messages that can be received
 * @param hidden messages that somebody is at work on, or that wait for a delay
 * @param oldest when the oldest dead letter that was seen was sent
 */
public record QueueLevel(
        String queue,
        boolean deadLetters,
        long waiting,
        long hidden,
        @Nullable Instant oldest) {

    long all() {
        return waiting + hidden;
    }
}
