package com.finedge.once.effect;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimWrite;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Fingerprint;
import com.finedge.once.retry.BackOff;
import java.time.Duration;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Performs effects once for their business keys: claims, runs, and records what came of it. */
public final class Effects {

    /** It was tried as often as it may be, and its end was uncertain each time. */
    public static final String RETRIES_EXHAUSTED = "RETRIES_EXHAUSTED";

    private static final Logger log = LoggerFactory.getLogger(Effects.class);

    private final Claims claims;
    private final int maxAttempts;
    private final BackOff backOff;
    private final RandomGenerator random;

    /** @param maxAttempts how often an effect is run before it is given up, at least 1 */
    public Effects(Claims claims, int maxAttempts, BackOff backOff, RandomGenerator random) {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("at least one attempt");
        }
        this.claims = claims;
        this.maxAttempts = maxAttempts;
        this.backOff = backOff;
        this.random = random;
    }

    /** Asks for the right to perform the effect. */
    public ClaimResult claim(ClaimKey key, Fingerprint content) {
        return claims.claim(key, content);
    }

    /** Performs the effect, unless the claim is known to be lost, and records its end. */
    public EffectAttempt perform(Claim claim, Effect effect, String body) {
        EffectResult result = claim.unlessLost(() -> run(effect, EffectRequest.of(claim, body)))
                .orElseGet(() -> new EffectResult.Uncertain("the claim was lost before the effect"));
        return switch (result) {
            case EffectResult.Done(String outcome) ->
                written(claims.markDone(claim, outcome, Map.of()), new EffectAttempt.Recorded(outcome));
            case EffectResult.Refused(String code, String reason) -> giveUp(claim, code, reason);
            case EffectResult.Uncertain(String reason)
            when claim.attempt() >= maxAttempts -> giveUp(claim, RETRIES_EXHAUSTED, reason);
            case EffectResult.Uncertain(String reason) ->
                // Before the message comes back its claim must be free, or it would meet itself in progress.
                written(claims.release(claim), new EffectAttempt.Postponed(reason, backOff(claim)));
        };
    }

    private static EffectResult run(Effect effect, EffectRequest request) {
        try {
            return effect.perform(request);
        } catch (RuntimeException e) {
            log.warn("{}: the effect failed: {}", request, e.toString());
            log.debug("{}: where it failed", request, e);
            // Its text may hold anything; a reason goes into the claim and the dead letter.
            return new EffectResult.Uncertain(e.getClass().getSimpleName());
        }
    }

    private EffectAttempt giveUp(Claim claim, String code, String reason) {
        return written(
                claims.markFailed(claim, code, Map.of("reason", reason)), new EffectAttempt.Failed(code, reason));
    }

    private static EffectAttempt written(ClaimWrite write, EffectAttempt attempt) {
        return write == ClaimWrite.WRITTEN ? attempt : new EffectAttempt.LeaseLost();
    }

    /** How long the run after this one is to wait: longer with each, and by chance. */
    public Duration backOff(Claim claim) {
        return backOff.after(claim.attempt(), random);
    }
}
