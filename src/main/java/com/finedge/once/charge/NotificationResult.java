package com.finedge.once.charge;

/** What came of a notification. */
public sealed interface NotificationResult {

    /** It was taken. */
    record Sent() implements NotificationResult {}

    /** @param reason why it may not have been taken, for the record: no personal data */
    record NotSent(String reason) implements NotificationResult {}
}
