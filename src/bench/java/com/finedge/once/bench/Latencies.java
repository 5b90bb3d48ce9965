package com.finedge.once.bench;

import java.time.Duration;

/** How long each service takes to answer. */
record Latencies(Duration sqs, Duration dynamodb, Duration bank, Duration notifications) {

    /** What a consumer in the same AWS region sees, and a bank that is neither fast nor slow. */
    static Latencies cloud() {
        return new Latencies(Duration.ofMillis(8), Duration.ofMillis(4), Duration.ofMillis(50), Duration.ofMillis(5));
    }

    /** None: what is left is what the processor allows. */
    static Latencies none() {
        return new Latencies(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    Duration of(Api api) {
        return switch (api) {
            case SQS -> sqs;
            case DYNAMODB -> dynamodb;
            case BANK -> bank;
            case NOTIFICATIONS -> notifications;
        };
    }
}
