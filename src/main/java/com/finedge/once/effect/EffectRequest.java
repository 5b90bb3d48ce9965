package com.finedge.once.effect;

import com.finedge.once.claim.Claim;

/**
 * One run of an effect.
 *
 * @param key the business key that is claimed
 * @param idempotencyKey what to hand to whoever records the effect: the same for every run of this key, and no other's
 * @param fence grows with every run of this key; a receiver that keeps the highest can refuse a run that was overtaken
 * @param attempt which run this is, from 1, since the claim was made or last reopened
 * @param body the message as it came
 */
public record EffectRequest(String key, String idempotencyKey, long fence, long attempt, String body) {

    static EffectRequest of(Claim claim, String body) {
        return new EffectRequest(
                claim.key().key(), claim.key().scope() + ":" + claim.key().key(), claim.fence(), claim.attempt(), body);
    }

    /** Without the body: this may be logged. */
    @Override
    public String toString() {
        return idempotencyKey + " (fence " + fence + ", attempt " + attempt + ")";
    }
}
