package com.finedge.once.config;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How the participants of order sagas get their commands.
 *
 * @param paymentQueue Name of the queue that brings TakePayment and RefundPayment.
 * @param inventoryQueue Name of the queue that brings ReserveStock and ReleaseStock.
 * @param shippingQueue Name of the queue that brings ArrangeShipping and CancelShipment.
 * @param confirmQueue Name of the queue that brings ConfirmOrder.
 * @param eventsQueue Name of the queue that takes what participants tell everyone, such as PaymentTaken.
 * @param pollers How many threads poll each of the four queues of commands, from 1 to 32; each handles one command at a time, in a transaction.
 */
@Validated
@ConfigurationProperties("once.orders")
public record OrdersProperties(
        @DefaultValue("payment-commands") @NotBlank String paymentQueue,
        @DefaultValue("inventory-commands") @NotBlank String inventoryQueue,
        @DefaultValue("shipping-commands") @NotBlank String shippingQueue,
        @DefaultValue("order-commands") @NotBlank String confirmQueue,
        @DefaultValue("order-events") @NotBlank String eventsQueue,
        @DefaultValue("2") @Min(1) @Max(32) int pollers) {

    private static final int MOST_PARTICIPANTS = 32;

    /** All queues by their properties. */
    Map<String, String> queues() {
        return Map.of(
                "once.orders.payment-queue", paymentQueue,
                "once.orders.inventory-queue", inventoryQueue,
                "once.orders.shipping-queue", shippingQueue,
                "once.orders.confirm-queue", confirmQueue,
                "once.orders.events-queue", eventsQueue);
    }

    List<String> commandQueues() {
        return List.of(paymentQueue, inventoryQueue, shippingQueue, confirmQueue);
    }

    /** At the most, with those of the steps that a team adds: only Camel knows them, and it comes later. */
    int allPollers() {
        return pollers * MOST_PARTICIPANTS;
    }
}
