package com.finedge.once.camel;

import com.finedge.once.contract.SagaCommand;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.UndoResult;
import java.math.BigDecimal;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.camel.Variable;

/** The steps of the routes that check an order for fraud and take the check back. */
public final class FraudSteps {

    private final BigDecimal limit;
    private final Supplier<UUID> ids;

    /** @param limit the largest amount that nobody needs to look at */
    public FraudSteps(BigDecimal limit, Supplier<UUID> ids) {
        this.limit = limit;
        this.ids = ids;
    }

    /** Lets an order pass, or refuses it for good. */
    public ActionResult check(@Variable("command") SagaCommand command) {
        Object orderId = command.data().get("orderId");
        if (!(command.data().get("amount") instanceof String amount) || orderId == null) {
            throw new IllegalArgumentException("an order has an id and an amount");
        }
        return new BigDecimal(amount).compareTo(limit) > 0
                ? new ActionResult.Refused("FraudSuspected.v1", new SagaData(Map.of("orderId", orderId)))
                : new ActionResult.Done(
                        "FraudCheckPassed.v1",
                        new SagaData(Map.of(
                                "orderId", orderId, "fraudCheckId", ids.get().toString())));
    }

    /** Says that a check which was passed counts no more. */
    public UndoResult withdraw(@Variable("done") SagaData passed) {
        return new UndoResult.Undone("FraudCheckWithdrawn.v1", passed);
    }
}
