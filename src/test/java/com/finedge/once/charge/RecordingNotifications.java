package com.finedge.once.charge;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps what was sent, or refuses it. */
public final class RecordingNotifications implements NotificationPort {

    private final List<Notification> sent = new ArrayList<>();
    private @Nullable String failure;

    /** From now on nothing is taken. */
    public void fail(String reason) {
        failure = reason;
    }

    @Override
    public synchronized NotificationResult send(Notification notification) {
        if (failure != null) {
            return new NotificationResult.NotSent(failure);
        }
        sent.add(notification);
        return new NotificationResult.Sent();
    }

    /** What was taken. */
    public List<Notification> sent() {
        return sent;
    }
}
