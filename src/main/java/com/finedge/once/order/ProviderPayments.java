package com.finedge.once.order;

import com.finedge.once.charge.Money;
import com.finedge.once.order.PaymentProvider.Charge;
import com.finedge.once.order.PaymentProvider.Refund;
import com.finedge.once.saga.OutsideAnswer;
import com.finedge.once.saga.SagaData;
import java.util.Map;
import java.util.Optional;

/** The part of an order's payment that is outside the database, at a provider. */
public final class ProviderPayments {

    private final OrderPolicy policy;
    private final PaymentProvider provider;

    public ProviderPayments(OrderPolicy policy, PaymentProvider provider) {
        this.policy = policy;
        this.provider = provider;
    }

    /**
     * Takes it: {@code orderId}, {@code customerId}, {@code amount}, {@code currency}.
     *
     * @param again whether the provider may have been asked before; then our own refusal is no answer, since the money may
     *     have moved, and the saga's patience decides
     */
    public OutsideAnswer charge(String key, boolean again, SagaData command) {
        Fields fields = new Fields(command);
        String orderId = fields.key("orderId");
        String customerId = fields.key("customerId");
        Money amount = fields.money();
        Optional<Refusal> refusal = policy.refusesPayment(orderId, customerId, amount);
        if (refusal.isEmpty()) {
            return answer(provider.charge(key, orderId, customerId, amount));
        }
        if (!again) {
            return refused(refusal.get().code());
        }
        if (provider.find(key) instanceof Charge.Charged charged) {
            return answer(charged);
        }
        throw new UncertainPaymentException("refused after the provider was asked, and may still be taken there", null);
    }

    /** What the provider knows of it. */
    public OutsideAnswer find(String key) {
        return answer(provider.find(key));
    }

    /** Gives it back. */
    public OutsideAnswer refund(String key, String chargeKey) {
        return switch (provider.refund(key, chargeKey)) {
            case Refund.Refunded(String reference) -> new OutsideAnswer.Done(referenced(reference));
            case Refund.Refused(String code) -> refused(code);
        };
    }

    private static OutsideAnswer answer(Charge charge) {
        return switch (charge) {
            case Charge.Charged(String reference) -> new OutsideAnswer.Done(referenced(reference));
            case Charge.Declined(String code) -> refused(code);
            case Charge.Unknown() -> new OutsideAnswer.Nothing();
        };
    }

    private static SagaData referenced(String reference) {
        return new SagaData(Map.of("reference", reference));
    }

    private static OutsideAnswer refused(String code) {
        return new OutsideAnswer.Refused(new SagaData(Map.of("code", code)));
    }
}
