package com.finedge.once.charge;

/** Sends notifications to customers. */
public interface NotificationPort {

    /** Sends it; a fault is an answer and never an exception, for it must not touch the debit. */
    NotificationResult send(Notification notification);
}
