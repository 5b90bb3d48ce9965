package com.finedge.once.billing;

import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.ChargeOutcome;
import com.finedge.once.contract.ChargeRecovered;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.outbox.Outbox;
import com.finedge.once.outbox.OutboxMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Raises charges, each together with the event that announces it, and settles them.
 *
 * <p>In one transaction:
 *
 * <ol>
 *   <li>Hold the idempotency key. Another request holds it: it is in flight.
 *   <li>The key was used before: the answer is the one of then, or a refusal if the request is another.
 *   <li>Store the charge, its event in the outbox, and the use of the key.
 * </ol>
 *
 * <p>A crash, a refusal or a failure leaves none of the three, and the key unused.
 */
public final class Billing {

    private static final int PURGED_AT_ONCE = 1_000;

    private static final String TRACEPARENT = "traceparent";

    /** W3C Trace Context; a version {@code ff} and ids of nothing but zeros are none. */
    private static final Pattern TRACEPARENT_FORM =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

    private final BilledCharges charges;
    private final IdempotencyKeys keys;
    private final Duration keyRetention;
    private final Outbox outbox;
    private final String queue;
    private final Function<ChargeDueEvent, String> writer;
    private final Set<String> types;
    private final InstantSource clock;
    private final Supplier<UUID> ids;
    private final BillingListener listener;

    /**
     * @param keyRetention how long it is remembered what a key was used for
     * @param queue the name of the queue that brings charges to their recovery
     * @param writer writes the body of an event
     * @param types the charge types that are known to the recovery
     */
    public Billing(
            BilledCharges charges,
            IdempotencyKeys keys,
            Duration keyRetention,
            Outbox outbox,
            String queue,
            Function<ChargeDueEvent, String> writer,
            Set<String> types,
            InstantSource clock,
            Supplier<UUID> ids,
            BillingListener listener) {
        this.charges = charges;
        this.keys = keys;
        this.keyRetention = keyRetention;
        this.outbox = outbox;
        this.queue = queue;
        this.writer = writer;
        this.types = Set.copyOf(types);
        this.clock = clock;
        this.ids = ids;
        this.listener = listener;
    }

    /**
     * Raises a charge, unless this request or another has done so before.
     *
     * @param traceparent goes along with the event if it is a valid one
     * @throws InvalidMessageException if the request is no valid charge; nothing is stored, and the key is unused
     */
    public RaiseResult raise(IdempotencyKey key, ChargeRequest request, @Nullable String traceparent) {
        ChargeDueEvent event = request.event(ids.get().toString(), "CHG-" + ids.get(), clock.instant());
        if (!types.contains(event.chargeType())) {
            throw new InvalidMessageException(
                    InvalidMessageException.Code.UNKNOWN_CHARGE_TYPE, "chargeType", "is none of the known types");
        }
        var use = new IdempotencyKeys.Use(request.fingerprint(event), event.chargeId());
        RaiseResult result = charges.inTransaction(() -> {
            if (!keys.hold(key)) {
                return new RaiseResult.InFlight();
            }
            Optional<IdempotencyKeys.Use> before = keys.find(key);
            return before.isPresent() ? repeated(before.get(), use) : raise(key, use, event, traceparent);
        });
        listener.answered(result);
        return result;
    }

    private RaiseResult repeated(IdempotencyKeys.Use before, IdempotencyKeys.Use now) {
        return before.request().equals(now.request())
                ? new RaiseResult.Repeated(existing(before.chargeId()).asRaised())
                : new RaiseResult.KeyReused();
    }

    private RaiseResult raise(
            IdempotencyKey key, IdempotencyKeys.Use use, ChargeDueEvent event, @Nullable String traceparent) {
        BilledCharge charge = BilledCharge.of(event);
        if (!charges.add(charge)) {
            return new RaiseResult.ChargeExists(
                    charge.chargeId(), existing(charge.chargeId()).hasContentOf(charge));
        }
        outbox.add(new OutboxMessage(event.eventId(), queue, writer.apply(event), null, attributes(traceparent)));
        keys.use(key, use);
        return new RaiseResult.Raised(charge);
    }

    private BilledCharge existing(String chargeId) {
        return charges.find(chargeId)
                .orElseThrow(() -> new IllegalStateException("charge " + chargeId + " has gone: charges are kept"));
    }

    private static Map<String, String> attributes(@Nullable String traceparent) {
        return traceparent != null && TRACEPARENT_FORM.matcher(traceparent).matches()
                ? Map.of(TRACEPARENT, traceparent)
                : Map.of();
    }

    /** The charge of that id. */
    public Optional<BilledCharge> find(String chargeId) {
        return charges.find(chargeId);
    }

    /** Records how a charge has ended, in the caller's transaction where there is one. */
    public SettleResult settle(ChargeOutcome outcome) {
        return charges.inTransaction(() -> charges.lock(outcome.chargeId())
                .map(charge -> settle(charge, outcome))
                .orElse(SettleResult.UNKNOWN_CHARGE));
    }

    private SettleResult settle(BilledCharge charge, ChargeOutcome outcome) {
        Settlement settlement = Settlement.of(outcome);
        if (!settlement.outranks(charge.settlement())) {
            return SettleResult.UNCHANGED;
        }
        if (outcome instanceof ChargeRecovered recovered
                && !(recovered.amount().equals(charge.amount())
                        && recovered.currency().equals(charge.currency()))) {
            return SettleResult.OTHER_AMOUNT;
        }
        charges.settle(charge.chargeId(), settlement);
        return SettleResult.SETTLED;
    }

    /** Forgets keys that were used so long ago that nobody sends them again. */
    public void forgetOldKeys() {
        int forgotten;
        do {
            forgotten = keys.purge(keyRetention, PURGED_AT_ONCE);
        } while (forgotten == PURGED_AT_ONCE);
    }
}
