package com.finedge.once.camel;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/** What matters of a queue here: a received message is hidden, not gone, until somebody deletes it. */
final class MemoryQueue {

    private final Set<String> messages = new LinkedHashSet<>();
    private final Deque<String> visible = new ArrayDeque<>();

    synchronized void send(String message) {
        if (!messages.add(message)) {
            throw new IllegalArgumentException(message + " is on the queue already");
        }
        visible.add(message);
    }

    /** @throws java.util.NoSuchElementException if none is visible */
    synchronized String receive() {
        return visible.remove();
    }

    /** Deletes the message, whichever of its deliveries says so: a queue doesn't know which one did the work. */
    synchronized void delete(String message) {
        messages.remove(message);
        visible.remove(message);
    }

    /** All that was received and not deleted can be received again. */
    synchronized void visibilityEnds() {
        visible.clear();
        visible.addAll(messages);
    }

    synchronized boolean isEmpty() {
        return messages.isEmpty();
    }
}
