package com.finedge.once.camel;

import com.finedge.once.adapter.json.JsonBody;
import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.Fingerprint;
import com.finedge.once.claim.Heartbeat;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import com.finedge.once.effect.Effect;
import com.finedge.once.effect.EffectAttempt;
import com.finedge.once.effect.Effects;
import java.time.Duration;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Variable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of the routes that are made from {@code charge-consumer}. The last that ran leaves in the variable "end" what
 * is to become of the message: DELETE, DEFER for "delay", DEAD_LETTER with "code" and "reason", or LEAVE.
 */
public final class EffectSteps {

    private static final Logger log = LoggerFactory.getLogger(EffectSteps.class);

    /** What becomes of a message. */
    private enum End {
        DELETE,
        DEFER,
        DEAD_LETTER,
        LEAVE
    }

    private final Effects effects;
    private final ChargeSteps charges;
    private final Heartbeat heartbeat;

    /** @param charges knows how long a duplicate has to wait */
    public EffectSteps(Effects effects, ChargeSteps charges, Heartbeat heartbeat) {
        this.effects = effects;
        this.charges = charges;
        this.heartbeat = heartbeat;
    }

    /**
     * Reads the message, so that expressions find its fields in the body, as <code>${body[voucherId]}</code>.
     *
     * @throws InvalidMessageException if it isn't one JSON object
     */
    public void read(Exchange exchange, @Variable("message") ReceivedMessage message) {
        exchange.getMessage().setBody(JsonBody.read(message.body()));
    }

    /**
     * Asks for the claim of "businessKey" in "scope", for the content in "content", or for the whole message where that is
     * empty: the answer into "claim", in one word into "claimOutcome".
     *
     * @throws InvalidMessageException if the message has no such key
     */
    public void claim(
            Exchange exchange,
            @Variable("message") ReceivedMessage message,
            @Variable("scope") String scope,
            @Nullable @Variable("businessKey") String key,
            @Nullable @Variable("content") String content) {
        ClaimKey claimKey = key(exchange, scope, key);
        Fingerprint fingerprint = Fingerprint.of(content == null || content.isEmpty() ? whole(exchange) : content);
        ClaimResult result = effects.claim(claimKey, fingerprint);
        exchange.setVariable("claim", result);
        exchange.setVariable("claimOutcome", result.outcome().name());
        if (!(result instanceof ClaimResult.Acquired)) {
            log.info("{}: {} is {}", claimKey, message, result.outcome());
        }
        switch (result) {
            case ClaimResult.Acquired acquired -> {
                heartbeat.claimed(message.receiptHandle(), acquired.claim());
                if (acquired.takenOverFrom() != null) {
                    // What ended that owner may have been this message, or one beside it: they must not come back
                    // together.
                    heartbeat.hideLonger(message.receiptHandle(), effects.backOff(acquired.claim()));
                }
            }
            case ClaimResult.Done done -> end(exchange, End.DELETE);
            case ClaimResult.InProgress inProgress -> defer(exchange, charges.untilLeaseEnds(inProgress));
            case ClaimResult.Failed failed ->
                deadLetter(exchange, String.valueOf(failed.existing().outcome()), "another delivery of what failed");
            case ClaimResult.Conflict conflict ->
                deadLetter(exchange, "CONFLICT", "payload differs: the key is claimed for other content");
        }
    }

    /** The key of an invalid message isn't kept: it may be anything. */
    private static ClaimKey key(Exchange exchange, String scope, @Nullable String key) {
        if (key == null || key.isBlank()) {
            exchange.removeVariable("businessKey");
            throw new InvalidMessageException(Code.MISSING_FIELD, "the key is required");
        }
        try {
            return new ClaimKey(scope, key);
        } catch (IllegalArgumentException e) {
            exchange.removeVariable("businessKey");
            throw new InvalidMessageException(
                    Code.INVALID_VALUE,
                    "the key must be 1 to 128 of letters, digits and . _ : -, and begin with one of the first two");
        }
    }

    @SuppressWarnings("unchecked") // as read() has left it
    private static String whole(Exchange exchange) {
        return JsonBody.canonical(exchange.getMessage().getBody(Map.class));
    }

    /** Performs the effect that is the bean "effect", and records what came of it. */
    public void perform(
            Exchange exchange, @Variable("message") ReceivedMessage message, @Variable("effect") String effect) {
        Effect bean = exchange.getContext()
                .getRegistry()
                .lookupByNameAndType(effect.replaceFirst("^#(bean:)?", ""), Effect.class);
        if (bean == null) {
            throw new IllegalStateException("there is no effect " + effect);
        }
        Claim claim = ((ClaimResult.Acquired) exchange.getVariable("claim")).claim();
        switch (effects.perform(claim, bean, message.body())) {
            case EffectAttempt.Recorded(String outcome) -> {
                log.debug("{}: {}", claim.key(), outcome);
                end(exchange, End.DELETE);
            }
            case EffectAttempt.Failed(String code, String reason) -> {
                log.warn("{}: failed, {} ({})", claim.key(), code, reason);
                deadLetter(exchange, code, reason);
            }
            case EffectAttempt.Postponed(String reason, Duration backOff) -> {
                log.info("{}: attempt {} postponed, {}", claim.key(), claim.attempt(), reason);
                defer(exchange, backOff);
            }
            case EffectAttempt.LeaseLost() -> end(exchange, End.LEAVE);
        }
    }

    private static void defer(Exchange exchange, Duration delay) {
        exchange.setVariable("delay", delay);
        end(exchange, End.DEFER);
    }

    private static void deadLetter(Exchange exchange, String code, String reason) {
        exchange.setVariable("code", code);
        exchange.setVariable("reason", reason);
        end(exchange, End.DEAD_LETTER);
    }

    private static void end(Exchange exchange, End end) {
        exchange.setVariable("end", end.name());
    }
}
