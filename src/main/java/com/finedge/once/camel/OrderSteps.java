package com.finedge.once.camel;

import com.finedge.once.contract.SagaCommand;
import com.finedge.once.order.Confirmations;
import com.finedge.once.order.Inventory;
import com.finedge.once.order.Payments;
import com.finedge.once.order.ProviderPayments;
import com.finedge.once.order.Shipping;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.OutsideAnswer;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.UndoResult;
import org.apache.camel.Variable;
import org.jspecify.annotations.Nullable;

/** The steps of the routes that do and undo the steps of an order. */
public final class OrderSteps {

    private final Payments payments;
    private final @Nullable ProviderPayments providerPayments;
    private final Inventory inventory;
    private final Shipping shipping;
    private final Confirmations confirmations;

    /** @param providerPayments none where payments are rows of our own */
    public OrderSteps(
            Payments payments,
            @Nullable ProviderPayments providerPayments,
            Inventory inventory,
            Shipping shipping,
            Confirmations confirmations) {
        this.payments = payments;
        this.providerPayments = providerPayments;
        this.inventory = inventory;
        this.shipping = shipping;
        this.confirmations = confirmations;
    }

    /** Takes the payment, or records that the provider has. */
    public ActionResult takePayment(
            @Variable("command") SagaCommand command, @Nullable @Variable("outside") OutsideAnswer provider) {
        return payments.take(command.sagaId(), new SagaData(command.data()), provider);
    }

    /** Gives back what was taken, or records that the provider has. */
    public UndoResult refundPayment(
            @Variable("done") SagaData taken, @Nullable @Variable("outside") OutsideAnswer provider) {
        return payments.refund(taken, provider);
    }

    /** Lets the provider take the payment. */
    public OutsideAnswer chargePayment(
            @Variable("command") SagaCommand command,
            @Variable("idempotencyKey") String key,
            @Variable("again") boolean again) {
        return provider().charge(key, again, new SagaData(command.data()));
    }

    /** Asks the provider what it knows of the payment. */
    public OutsideAnswer findCharge(@Variable("idempotencyKey") String key) {
        return provider().find(key);
    }

    /** Lets the provider give back what it has taken. */
    public OutsideAnswer refundCharge(@Variable("idempotencyKey") String key, @Variable("calledKey") String chargeKey) {
        return provider().refund(key, chargeKey);
    }

    private ProviderPayments provider() {
        if (providerPayments == null) {
            throw new IllegalStateException("once.orders.payment-provider.url isn't set");
        }
        return providerPayments;
    }

    /** Sets the items aside. */
    public ActionResult reserveStock(@Variable("command") SagaCommand command) {
        return inventory.reserve(command.sagaId(), new SagaData(command.data()));
    }

    /** Puts back what was set aside. */
    public UndoResult releaseStock(@Variable("done") SagaData reserved) {
        return inventory.release(reserved);
    }

    /** Arranges the shipping. */
    public ActionResult arrangeShipping(@Variable("command") SagaCommand command) {
        return shipping.arrange(command.sagaId(), new SagaData(command.data()));
    }

    /** Cancels the shipping, if it still can be. */
    public UndoResult cancelShipment(@Variable("done") SagaData arranged) {
        return shipping.cancel(arranged);
    }

    /** Makes the order final. */
    public ActionResult confirmOrder(@Variable("command") SagaCommand command) {
        return confirmations.confirm(command.sagaId(), new SagaData(command.data()));
    }
}
