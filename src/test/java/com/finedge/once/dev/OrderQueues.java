package com.finedge.once.dev;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The queues of orders and their participants, each with its dead-letter queue; only development and tests make them by
 * code.
 *
 * @param prefix what the names of all of them begin with
 * @param visibility how long a received message stays hidden, in whole seconds
 * @param maxReceiveCount after so many receives a message moves to its dead-letter queue
 */
public record OrderQueues(String prefix, Duration visibility, int maxReceiveCount) {

    /** Under the names that the application uses when nothing else is configured. */
    public static final OrderQueues STANDARD = new OrderQueues("", Duration.ofSeconds(60), 30);

    /** The standard ones under names that nobody else uses. */
    public static OrderQueues unique() {
        return new OrderQueues(
                UUID.randomUUID().toString().substring(0, 8) + "-", STANDARD.visibility, STANDARD.maxReceiveCount);
    }

    /** The same with another number of receives before the dead-letter queue. */
    public OrderQueues withMaxReceiveCount(int count) {
        return new OrderQueues(prefix, visibility, count);
    }

    /** What brings the commands of a step. */
    public String commands(String step) {
        return prefix
                + switch (step) {
                    case "payment" -> "payment-commands";
                    case "stock" -> "inventory-commands";
                    case "shipping" -> "shipping-commands";
                    case "confirm" -> "order-commands";
                    default -> throw new IllegalArgumentException("an order has no step " + step);
                };
    }

    /** What participants tell everyone. */
    public String events() {
        return prefix + "order-events";
    }

    /** What participants answer. */
    public String replies() {
        return prefix + "order-saga";
    }

    /** The dead-letter queue of a queue. */
    public static String deadLetters(String queue) {
        return queue + "-dlq";
    }

    /** All but the dead-letter queues. */
    public List<String> all() {
        return List.of(
                commands("payment"), commands("stock"), commands("shipping"), commands("confirm"), events(), replies());
    }

    /** Makes what isn't there yet; what is there stays with its content. */
    public OrderQueues createIn(SqsClient sqs) {
        all().forEach(queue ->
                LocalResources.createQueues(sqs, queue, deadLetters(queue), visibility, maxReceiveCount));
        return this;
    }

    /** The application's settings that name them. */
    public Map<String, String> properties() {
        return Map.of(
                "once.orders.payment-queue", commands("payment"),
                "once.orders.inventory-queue", commands("stock"),
                "once.orders.shipping-queue", commands("shipping"),
                "once.orders.confirm-queue", commands("confirm"),
                "once.orders.events-queue", events());
    }
}
