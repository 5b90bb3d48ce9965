package com.finedge.once.order;

import com.finedge.once.charge.Money;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.OutsideAnswer;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.UndoResult;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes the payment of an order, and gives it back. */
public final class Payments {

    private final OrderPolicy policy;
    private final OrderFacts facts;
    private final InstantSource clock;
    private final Supplier<UUID> ids;

    public Payments(OrderPolicy policy, OrderFacts facts, InstantSource clock, Supplier<UUID> ids) {
        this.policy = policy;
        this.facts = facts;
        this.clock = clock;
        this.ids = ids;
    }

    /**
     * Takes it: {@code orderId}, {@code customerId}, {@code amount}, {@code currency}.
     *
     * @param provider what a provider has answered; none where payments are rows of our own
     */
    public ActionResult take(UUID sagaId, SagaData command, @Nullable OutsideAnswer provider) {
        Fields fields = new Fields(command);
        String orderId = fields.key("orderId");
        String customerId = fields.key("customerId");
        Money amount = fields.money();
        Optional<Refusal> refusal =
                provider == null ? policy.refusesPayment(orderId, customerId, amount) : refusalOf(provider);
        if (refusal.isPresent()) {
            return refusal.get().of(orderId, "PaymentDeclined.v1");
        }
        var payment = new OrderFact.Payment(ids.get(), sagaId, orderId, customerId, amount, clock.instant());
        facts.add(payment);
        return new ActionResult.Done("PaymentTaken.v1", told(orderId, payment.id(), amount));
    }

    private static Optional<Refusal> refusalOf(OutsideAnswer provider) {
        return provider instanceof OutsideAnswer.Refused(SagaData data)
                ? Optional.of(new Refusal(new Fields(data).key("code")))
                : Optional.empty();
    }

    /**
     * Gives back what was taken. The payment stays as it is.
     *
     * @param provider what a provider has answered; none where payments are rows of our own
     * @throws IllegalStateException if the provider doesn't give it back: somebody has to see to it
     */
    public UndoResult refund(SagaData taken, @Nullable OutsideAnswer provider) {
        if (provider != null && refusalOf(provider).isPresent()) {
            throw new IllegalStateException("the provider refuses the refund: "
                    + refusalOf(provider).get().code());
        }
        Fields fields = new Fields(taken);
        UUID paymentId = fields.id("paymentId");
        Money amount = fields.money();
        facts.add(new OrderFact.Refund(ids.get(), paymentId, amount, clock.instant()));
        return new UndoResult.Undone("PaymentRefunded.v1", told(fields.key("orderId"), paymentId, amount));
    }

    private static SagaData told(String orderId, UUID paymentId, Money amount) {
        return new SagaData(Map.of(
                "orderId", orderId,
                "paymentId", paymentId.toString(),
                "amount", amount.digits(),
                "currency", amount.currency().getCurrencyCode()));
    }
}
