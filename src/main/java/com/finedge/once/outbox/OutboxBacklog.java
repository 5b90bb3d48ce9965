package com.finedge.once.outbox;

import java.time.Duration;

/**
 * What is still to be sent.
 *
 * @param pending messages that wait to be sent, or to be sent again
 * @param oldestPending how long the oldest of them has been there, zero if there is none
 * @param parked messages that wait to be released
 */
public record OutboxBacklog(long pending, Duration oldestPending, long parked) {}
