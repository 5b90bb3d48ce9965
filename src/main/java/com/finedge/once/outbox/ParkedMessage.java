package com.finedge.once.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits for somebody to release it.
 *
 * @param id the message's own
 * @param failures how often its queue has refused it
 * @param lastError what its queue said at last
 */
public record ParkedMessage(
        String id, String queue, @Nullable String orderKey, int failures, String lastError, Instant addedAt) {}
