package com.finedge.once.adapter.json;

import com.finedge.once.billing.BilledCharge;
import com.finedge.once.billing.ChargeRequest;
import com.finedge.once.billing.Settlement;
import com.finedge.once.contract.InvalidMessageException;
import java.util.List;

/** Reads {@link ChargeRequest}s from JSON text, strictly, and writes {@link BilledCharge}s; safe for many threads. */
public final class BillingJson {

    private static final List<String> FIELDS =
            List.of("chargeId", "accountId", "chargeType", "amount", "currency", "dueAt");

    /**
     * Reads one request.
     *
     * @throws InvalidMessageException where the body isn't exactly one JSON object with all the fields of a request but
     *     perhaps the charge id, and no others; nothing else is thrown for any text
     */
    public ChargeRequest readRequest(String body) {
        StrictJson json = StrictJson.readRequest(body, FIELDS);
        return new ChargeRequest(
                json.optionalString("chargeId").orElse(null),
                json.string("accountId"),
                json.string("chargeType"),
                json.string("amount"),
                json.string("currency"),
                json.time("dueAt"));
    }

    /** Writes a charge as one line of JSON, times in UTC; what isn't known is left out. */
    public String write(BilledCharge charge) {
        return StrictJson.write(json -> {
            json.writeStringField("chargeId", charge.chargeId());
            json.writeStringField("accountId", charge.accountId());
            json.writeStringField("chargeType", charge.chargeType());
            json.writeStringField("amount", charge.amount());
            json.writeStringField("currency", charge.currency());
            json.writeStringField("dueAt", charge.dueAt().toString());
            json.writeStringField("raisedAt", charge.raisedAt().toString());
            json.writeStringField("state", charge.state().name());
            switch (charge.settlement()) {
                case null -> {}
                case Settlement.Recovered(var outcome, var debitReference, var at) -> {
                    json.writeStringField("outcome", outcome.name());
                    if (debitReference != null) {
                        json.writeStringField("debitReference", debitReference);
                    }
                    json.writeStringField("settledAt", at.toString());
                }
                case Settlement.Failed(var code, var reason, var at) -> {
                    json.writeStringField("code", code);
                    json.writeStringField("reason", reason);
                    json.writeStringField("settledAt", at.toString());
                }
            }
        });
    }
}
