package com.finedge.once.camel;

import com.finedge.once.adapter.json.ChargeOutcomeJson;
import com.finedge.once.billing.Billing;
import com.finedge.once.billing.SettleResult;
import com.finedge.once.contract.ChargeOutcome;
import com.finedge.once.inbox.Inbox;
import com.finedge.once.inbox.InboxResult;
import org.apache.camel.Exchange;
import org.apache.camel.Variable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of the route {@code apply-charge-outcome}. */
public final class OutcomeSteps {

    private static final Logger log = LoggerFactory.getLogger(OutcomeSteps.class);

    private static final String CONSUMER = "billing";

    private final ChargeOutcomeJson json;
    private final Inbox inbox;
    private final Billing billing;

    public OutcomeSteps(ChargeOutcomeJson json, Inbox inbox, Billing billing) {
        this.json = json;
        this.inbox = inbox;
        this.billing = billing;
    }

    /**
     * Reads the message into the variable "outcome".
     *
     * @throws com.finedge.once.contract.InvalidMessageException if it is no valid outcome: then it stays on its queue,
     *     which brings it to its dead-letter queue as it is
     */
    public void read(Exchange exchange, @Variable("message") ReceivedMessage message) {
        exchange.setVariable("outcome", json.read(message.body()));
    }

    /** Settles the charge, once however often the event comes. */
    public void apply(@Variable("outcome") ChargeOutcome outcome) {
        InboxResult<SettleResult> result = inbox.receive(CONSUMER, outcome.eventId(), () -> billing.settle(outcome));
        if (result.equals(new InboxResult.Applied<>(SettleResult.OTHER_AMOUNT))) {
            log.warn("{}: another amount was debited than was billed; not settled", outcome.chargeId());
        } else if (result.equals(new InboxResult.Applied<>(SettleResult.UNKNOWN_CHARGE))) {
            log.warn("{}: {} of a charge that was not raised here", outcome.chargeId(), outcome.eventType());
        } else {
            log.debug("{}: {} is {}", outcome.chargeId(), outcome.eventType(), result);
        }
    }
}
