package com.finedge.once.outbox;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message to be sent once its transaction is committed.
 *
 * @param id names the message, the same however often it is sent; receivers know a repeat by it. At most 128 characters
 * @param queue the name of the queue it goes to
 * @param orderKey messages of the same key are sent one after another, in the order in which they were added; a message
 *     that can't be sent holds back those of its own key and no others. None for a message whose order doesn't matter,
 *     which is cheaper. At most 128 characters
 * @param attributes go along as message attributes, at most nine; the id is added as {@code eventId}
 */
public record OutboxMessage(
        String id, String queue, String body, @Nullable String orderKey, Map<String, String> attributes) {

    /** The attribute that carries a message's id. */
    public static final String ID_ATTRIBUTE = "eventId";

    private static final int LONGEST = 128;
    private static final int MOST_ATTRIBUTES = 9;

    /** @throws IllegalArgumentException if a limit isn't kept or the body is empty, which no queue would take */
    public OutboxMessage {
        attributes = Map.copyOf(attributes);
        require(!id.isBlank() && id.length() <= LONGEST, "an id has 1 to 128 characters");
        require(!queue.isBlank(), "a message goes to a queue");
        require(!body.isEmpty(), "a body must not be empty");
        require(orderKey == null || orderKey.length() <= LONGEST, "an order key has at most 128 characters");
        require(attributes.size() <= MOST_ATTRIBUTES, "there can be nine attributes beside the id");
        require(!attributes.containsKey(ID_ATTRIBUTE), "the attribute " + ID_ATTRIBUTE + " is the id's");
    }

    private static void require(boolean kept, String rule) {
        if (!kept) {
            throw new IllegalArgumentException(rule);
        }
    }

    /** The same with that attribute; without it where there is no room for one more. */
    public OutboxMessage with(String name, String value) {
        Map<String, String> more = new HashMap<>(attributes);
        more.put(name, value);
        return more.size() > MOST_ATTRIBUTES ? this : new OutboxMessage(id, queue, body, orderKey, more);
    }

    /** Without the body, which must not end up in logs. */
    @Override
    public String toString() {
        return "message " + id + " to " + queue;
    }
}
