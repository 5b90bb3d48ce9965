package com.finedge.once.camel;

import com.finedge.once.contract.SagaCommand;
import com.finedge.once.order.Confirmations;
import com.finedge.once.order.Inventory;
import com.finedge.once.order.Payments;
import com.finedge.once.order.Shipping;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.UndoResult;
import org.apache.camel.Variable;

/** The steps of the routes that do and undo the steps of an order. */
public final class OrderSteps {

    private final Payments payments;
    private final Inventory inventory;
    private final Shipping shipping;
    private final Confirmations confirmations;

    public OrderSteps(Payments payments, Inventory inventory, Shipping shipping, Confirmations confirmations) {
        this.payments = payments;
        this.inventory = inventory;
        this.shipping = shipping;
        this.confirmations = confirmations;
    }

    /** Takes the payment. */
    public ActionResult takePayment(@Variable("command") SagaCommand command) {
        return payments.take(command.sagaId(), new SagaData(command.data()));
    }

    /** Gives back what was taken. */
    public UndoResult refundPayment(@Variable("done") SagaData taken) {
        return payments.refund(taken);
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
