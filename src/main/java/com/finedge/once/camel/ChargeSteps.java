package com.finedge.once.camel;

import com.finedge.once.adapter.json.ChargeDueEventJson;
import com.finedge.once.adapter.opentelemetry.Traces;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeAttempt;
import com.finedge.once.charge.ChargeListener;
import com.finedge.once.charge.ChargeRecoveryService;
import com.finedge.once.charge.DebitResult;
import com.finedge.once.charge.NotificationResult;
import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.Heartbeat;
import com.finedge.once.contract.InvalidMessageException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.camel.Exchange;
import org.apache.camel.Variable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of the route {@code recover-charge}: each takes its input from the exchange's variables and leaves its result
 * there, beside it in one word what a {@code choice} branches on.
 */
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

    /**
     * Reads the charge into the variables "charge" and "businessKey".
     *
     * @throws InvalidMessageException if the message is no valid charge; it can only go to the dead-letter queue
     */
    public void read(Exchange exchange) {
        try {
            Charge charge = Charge.of(json.read(message(exchange).body()), types);
            LogContext.charge(charge.id().value());
            exchange.setVariable("charge", charge);
            exchange.setVariable("businessKey", charge.id().value());
        } catch (InvalidMessageException e) {
            listener.refused(e.code());
            throw e;
        }
    }

    /** Asks for the claim: the answer into "claim", in one word into "claimOutcome". */
    public void claim(Exchange exchange) {
        Charge charge = charge(exchange);
        ReceivedMessage message = message(exchange);
        ClaimResult result = service.claim(charge);
        if (result instanceof ClaimResult.Acquired acquired) {
            heartbeat.claimed(message.receiptHandle(), acquired.claim());
            if (acquired.takenOverFrom() != null) {
                // What ended that owner may have been this message, or one beside it: they must not come back together.
                heartbeat.hideLonger(message.receiptHandle(), service.backOff(acquired.claim()));
            }
        } else {
            log.info("{}: {} is {}", charge.id(), message, result.outcome());
        }
        exchange.setVariable("claim", result);
        exchange.setVariable("claimOutcome", result.outcome().name());
    }

    /** Debits the account: the bank's answer into "debit", in one word into "debitOutcome". */
    public void debit(Exchange exchange) {
        DebitResult result = service.debit(acquired(exchange), charge(exchange));
        exchange.setVariable("debit", result);
        exchange.setVariable("debitOutcome", result.outcome().name());
    }

    /** Notifies the customer of the debit: what came of it into "notification". */
    public void notifyCustomer(Exchange exchange) {
        exchange.setVariable(
                "notification",
                service.notifyCustomer(charge(exchange), variable(exchange, "debit", DebitResult.Debited.class)));
    }

    /** Records the debit. */
    public void complete(Exchange exchange) {
        attempted(
                exchange,
                service.complete(
                        acquired(exchange),
                        charge(exchange),
                        variable(exchange, "debit", DebitResult.Debited.class),
                        variable(exchange, "notification", NotificationResult.class)));
    }

    /** Records the bank's refusal. */
    public void fail(Exchange exchange) {
        attempted(exchange, service.fail(acquired(exchange), variable(exchange, "debit", DebitResult.Rejected.class)));
    }

    /** Gives the claim back for another attempt, or records that the attempts are spent. */
    public void postpone(Exchange exchange) {
        attempted(
                exchange,
                service.postpone(acquired(exchange), variable(exchange, "debit", DebitResult.Uncertain.class)));
    }

    /** What became of the attempt into "attempt", in one word into "attemptStatus". */
    private void attempted(Exchange exchange, ChargeAttempt attempt) {
        Claim claim = acquired(exchange);
        switch (attempt.status()) {
            case RECOVERED -> recovered(claim, attempt);
            case FAILED -> log.warn("{}: failed, {} ({})", claim.key().key(), attempt.code(), attempt.reason());
            case POSTPONED ->
                log.info("{}: attempt {} postponed, {}", claim.key().key(), claim.attempt(), attempt.reason());
            case LEASE_LOST -> {} // Claims has said so
        }
        exchange.setVariable("attempt", attempt);
        exchange.setVariable("attemptStatus", attempt.status().name());
        Traces.attempt(attempt.status().name());
    }

    private void recovered(Claim claim, ChargeAttempt attempt) {
        log.debug("{}: {}", claim.key().key(), attempt.code());
        if (attempt.code().equals(ChargeRecoveryService.DEBITED_NOTIFICATION_FAILED)) {
            listener.notificationFailed();
        }
    }

    /** How long a duplicate has to wait until it can do some good. */
    public Duration untilLeaseEnds(@Variable("claim") ClaimResult.InProgress inProgress) {
        Duration left = Duration.between(clock.instant(), inProgress.leaseUntil());
        return (left.isNegative() ? Duration.ZERO : left).plus(MARGIN).plusMillis(random.nextLong(JITTER.toMillis()));
    }

    private static Claim acquired(Exchange exchange) {
        return variable(exchange, "claim", ClaimResult.Acquired.class).claim();
    }

    private static Charge charge(Exchange exchange) {
        return variable(exchange, "charge", Charge.class);
    }

    private static ReceivedMessage message(Exchange exchange) {
        return variable(exchange, "message", ReceivedMessage.class);
    }

    private static <T> T variable(Exchange exchange, String name, Class<T> type) {
        Object value = exchange.getVariable(name);
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        throw new IllegalStateException(
                "no " + type.getSimpleName() + " in the variable " + name + ": a step before this one is missing");
    }
}
