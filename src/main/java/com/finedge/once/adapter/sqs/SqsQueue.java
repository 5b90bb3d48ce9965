package com.finedge.once.adapter.sqs;

import java.time.Duration;

/**
 * A queue as it is set up.
 *
 * @param retention how long it keeps a message, counted from the message's first sending
 */
public record SqsQueue(String name, String url, Duration retention) {}
