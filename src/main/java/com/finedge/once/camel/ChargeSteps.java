package com.finedge.once.camel;

import com.finedge.once.adapter.json.ChargeDueEventJson;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeAttempt;
import com.finedge.once.charge.ChargeListener;
import com.finedge.once.charge.ChargeRecoveryService;
import com.finedge.once.charge.DebitResult;
import com.finedge.once.charge.NotificationResult;
import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.Heartbeat;
import com.finedge.once.contract.ChargeDueEvent;
import com.finedge.once.contract.InvalidMessageException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.camel.Variable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of the route {@code recover-charge}: takes each step's input from the exchange's variables. */
public final class ChargeSteps {

    private static final Logger log = LoggerFactory.getLogger(ChargeSteps.class);

    /** Beyond the lease, for clocks that differ: back too early, the message would find the lease still running. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    /** Spreads duplicates that wait for the same lease. */
    private static final Duration JITTER = Duration.ofSeconds(2);

    private final ChargeRecoveryService service;
    private final ChargeDueEventJson json;
    private final Set<String> types;
    private final Heartbeat heartbeat;
    private final ChargeListener listener;
    private final InstantSource clock;
    private final RandomGenerator random;

    /** @param types the charge types that are known here */
    public ChargeSteps(
            ChargeRecoveryService service,
            ChargeDueEventJson json,
            Set<String> types,
            Heartbeat heartbeat,
            ChargeListener listener,
            InstantSource clock,
            RandomGenerator random) {
        this.service = service;
        this.json = json;
        this.types = Set.copyOf(types);
        this.heartbeat = heartbeat;
        this.listener = listener;
        this.clock = clock;
        this.random = random;
    }

    /** @throws InvalidMessageException if the message is no valid charge; it can only go to the dead-letter queue */
    public Charge read(@Variable("message") ReceivedMessage message) {
        try {
            ChargeDueEvent event = json.read(message.body());
            if (!types.contains(event.chargeType())) {
                throw new InvalidMessageException(
                        InvalidMessageException.Code.UNKNOWN_CHARGE_TYPE, "chargeType", "is none of the known types");
            }
            return Charge.of(event);
        } catch (InvalidMessageException e) {
            listener.refused(e.code());
            throw e;
        }
    }

    /** Asks for the claim. */
    public ClaimResult claim(@Variable("charge") Charge charge, @Variable("message") ReceivedMessage message) {
        ClaimResult result = service.claim(charge);
        if (result instanceof ClaimResult.Acquired acquired) {
            heartbeat.claimed(message.receiptHandle(), acquired.claim());
        } else {
            log.info("{}: {} is {}", charge.id(), message, result.outcome());
        }
        return result;
    }

    /** Debits the account. */
    public DebitResult debit(@Variable("claim") ClaimResult.Acquired acquired, @Variable("charge") Charge charge) {
        return service.debit(acquired.claim(), charge);
    }

    /** Notifies the customer of the debit. */
    public NotificationResult notifyCustomer(
            @Variable("charge") Charge charge, @Variable("debit") DebitResult.Debited debited) {
        return service.notifyCustomer(charge, debited);
    }

    /** Records the debit. */
    public ChargeAttempt complete(
            @Variable("claim") ClaimResult.Acquired acquired,
            @Variable("debit") DebitResult.Debited debited,
            @Variable("notification") NotificationResult notification) {
        return logged(acquired.claim(), service.complete(acquired.claim(), debited, notification));
    }

    /** Records the bank's refusal. */
    public ChargeAttempt fail(
            @Variable("claim") ClaimResult.Acquired acquired, @Variable("debit") DebitResult.Rejected rejected) {
        return logged(acquired.claim(), service.fail(acquired.claim(), rejected));
    }

    /** Gives the claim back for another attempt, or records that the attempts are spent. */
    public ChargeAttempt postpone(
            @Variable("claim") ClaimResult.Acquired acquired, @Variable("debit") DebitResult.Uncertain uncertain) {
        return logged(acquired.claim(), service.postpone(acquired.claim(), uncertain));
    }

    /** How long a duplicate has to wait until it can do some good. */
    public Duration untilLeaseEnds(@Variable("claim") ClaimResult.InProgress inProgress) {
        Duration left = Duration.between(clock.instant(), inProgress.leaseUntil());
        return (left.isNegative() ? Duration.ZERO : left).plus(MARGIN).plusMillis(random.nextLong(JITTER.toMillis()));
    }

    private static ChargeAttempt logged(Claim claim, ChargeAttempt attempt) {
        switch (attempt.status()) {
            case RECOVERED -> log.debug("{}: {}", claim.key().key(), attempt.code());
            case FAILED -> log.warn("{}: failed, {} ({})", claim.key().key(), attempt.code(), attempt.reason());
            case POSTPONED ->
                log.info("{}: attempt {} postponed, {}", claim.key().key(), claim.attempt(), attempt.reason());
            case LEASE_LOST -> {} // Claims has said so
        }
        return attempt;
    }
}
