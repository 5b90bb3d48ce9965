package com.finedge.once.effect;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.ClaimOutcome;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.Fingerprint;
import com.finedge.once.claim.InMemoryClaimStore;
import com.finedge.once.retry.BackOff;
import com.finedge.once.support.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An effect is run under its claim, and what is certain about it is recorded. */
class EffectsTest {

    private static final ClaimKey KEY = new ClaimKey("voucher-issue", "V-1");
    private static final Fingerprint CONTENT = Fingerprint.of("25.00");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 3;

    private final SettableClock clock = new SettableClock();
    private final Claims claims = new Claims(
            new InMemoryClaimStore(), LEASE, Duration.ofDays(60), clock, UUID::randomUUID, ClaimListener.NONE);
    private final Effects effects =
            new Effects(claims, ATTEMPTS, new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(9)), new Random(1));
    private final List<EffectRequest> runs = new ArrayList<>();

    private Claim acquired() {
        return ((ClaimResult.Acquired) effects.claim(KEY, CONTENT)).claim();
    }

    private EffectAttempt run(Claim claim, Effect effect) {
        return effects.perform(
                claim,
                request -> {
                    runs.add(request);
                    return effect.perform(request);
                },
                "the message");
    }

    private ClaimRecord recorded() {
        return claims.find(KEY).orElseThrow();
    }

    @Test
    void whatIsDoneIsRecordedAndItsDuplicatesAreTold() {
        assertThat(run(acquired(), request -> new EffectResult.Done("ISSUED")))
                .isEqualTo(new EffectAttempt.Recorded("ISSUED"));

        assertThat(recorded().outcome()).isEqualTo("ISSUED");
        assertThat(effects.claim(KEY, CONTENT).outcome()).isEqualTo(ClaimOutcome.DUPLICATE_DONE);
    }

    @Test
    void whatIsRefusedIsRecordedAtTheFirstRun() {
        assertThat(run(acquired(), request -> new EffectResult.Refused("NOT_ELIGIBLE", "no such customer")))
                .isEqualTo(new EffectAttempt.Failed("NOT_ELIGIBLE", "no such customer"));

        assertThat(recorded().state()).isEqualTo(ClaimState.FAILED);
        assertThat(recorded().detail()).containsEntry("reason", "no such customer");
    }

    @Test
    void whatIsUncertainIsRunAgainUnderTheSameKeyAndAHigherFenceAndGivenUpAtLast() {
        for (int i = 1; i < ATTEMPTS; i++) {
            assertThat(run(acquired(), request -> new EffectResult.Uncertain("no answer")))
                    .isInstanceOf(EffectAttempt.Postponed.class);
        }
        assertThat(run(acquired(), request -> new EffectResult.Uncertain("no answer")))
                .isEqualTo(new EffectAttempt.Failed(Effects.RETRIES_EXHAUSTED, "no answer"));

        assertThat(recorded().state()).isEqualTo(ClaimState.FAILED);
        assertThat(runs).extracting(EffectRequest::idempotencyKey).containsOnly("voucher-issue:V-1");
        assertThat(runs).extracting(EffectRequest::fence).containsExactly(1L, 2L, 3L);
        assertThat(runs).extracting(EffectRequest::attempt).containsExactly(1L, 2L, 3L);
    }

    /** Its text may quote the message, and a reason is stored and sent. */
    @Test
    void anExceptionIsUncertainAndOnlyItsClassIsKept() {
        EffectAttempt attempt = run(acquired(), request -> {
            throw new IllegalStateException("account 4711 of " + request.body());
        });

        assertThat(attempt)
                .isInstanceOfSatisfying(
                        EffectAttempt.Postponed.class,
                        postponed -> assertThat(postponed.reason()).isEqualTo("IllegalStateException"));
        assertThat(effects.claim(KEY, CONTENT).outcome()).isEqualTo(ClaimOutcome.ACQUIRED);
    }

    @Test
    void anOwnerThatWasOvertakenDuringItsEffectRecordsNothing() {
        EffectAttempt late = run(acquired(), request -> {
            clock.advance(LEASE.plusSeconds(1));
            run(acquired(), successor -> new EffectResult.Done("BY_THE_SUCCESSOR"));
            return new EffectResult.Refused("TOO_LATE", "whatever");
        });

        assertThat(late).isEqualTo(new EffectAttempt.LeaseLost());
        assertThat(recorded().outcome()).isEqualTo("BY_THE_SUCCESSOR");
    }

    @Test
    void aClaimThatIsKnownToBeLostIsNoLeaveToRun() {
        Claim overtaken = acquired();
        clock.advance(LEASE.plusSeconds(1));
        acquired();
        claims.renew(overtaken);

        assertThat(run(overtaken, request -> new EffectResult.Done("ISSUED"))).isEqualTo(new EffectAttempt.LeaseLost());
        assertThat(runs).isEmpty();
        // Losing it has interrupted whoever asked for it.
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aRequestMayBeLogged() {
        assertThat(new EffectRequest("V-1", "voucher-issue:V-1", 2, 1, "account 4711"))
                .hasToString("voucher-issue:V-1 (fence 2, attempt 1)");
    }
}
