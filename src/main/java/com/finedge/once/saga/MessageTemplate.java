package com.finedge.once.saga;

import java.util.Map;

/**
 * A message that a saga sends, before its values are known.
 *
 * @param queue the name of the queue it goes to
 * @param type the message's type with its version, such as {@code TakePayment.v1}
 * @param data the names of its fields, each with the {@link Template} of its value
 */
public record MessageTemplate(String queue, String type, Map<String, String> data) {

    public MessageTemplate {
        data = Map.copyOf(data);
    }
}
