package com.finedge.once.deadletter;

import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.Claims;
import java.time.InstantSource;
import java.util.Optional;

/** Finds out all that is known about a letter; the list and the redrive see the same. */
final class Examiner {

    private final Claims claims;
    private final Effects effects;
    private final InstantSource clock;

    Examiner(Claims claims, Effects effects, InstantSource clock) {
        this.claims = claims;
        this.effects = effects;
        this.clock = clock;
    }

    /** @throws RuntimeException if the claims can't be asked */
    Findings examine(DeadLetter letter, Reading reading) {
        Optional<ClaimRecord> claim =
                reading instanceof Reading.Valid valid ? claims.find(valid.key()) : Optional.empty();
        Evidence evidence =
                reading instanceof Reading.Valid valid && Redrive.needsEvidence(reading, claim, effects::kind)
                        ? effects.ask(valid.key())
                        : new Evidence.NotAsked();
        return new Findings(reading, letter.redrives(), claim, evidence);
    }

    Verdict decide(Findings findings, Terms terms) {
        return Redrive.decide(findings, effects::kind, terms, clock.instant());
    }
}
