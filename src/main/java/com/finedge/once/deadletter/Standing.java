package com.finedge.once.deadletter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a dead-letter queue was last seen to hold.
 *
 * @param queue its name
 * @param depth how many letters, about
 * @param oldest when the oldest letter that was seen was sent; none if none was seen. A queue can't be asked for its
 *     oldest message, so beyond the letters looked at this is a lower bound of its age
 * @param at when it was looked at
 */
public record Standing(String queue, Depth depth, @Nullable Instant oldest, Instant at) {}
