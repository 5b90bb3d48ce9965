package com.finedge.once.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.Fingerprint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each verdict by hand, then what holds for all of them, whatever comes together. */
class RedriveTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final ClaimKey KEY = new ClaimKey("charge-recovery", "CHG-1");
    private static final Fingerprint CONTENT = Fingerprint.of("19.90");
    private static final Fingerprint OTHER = Fingerprint.of("1990.00");

    private static final Reading VALID = new Reading.Valid(KEY, CONTENT);
    private static final Reading INVALID = new Reading.Invalid("NOT_JSON", "must be JSON");
    private static final Evidence NOT_ASKED = new Evidence.NotAsked();
    private static final Evidence.Happened HAPPENED = new Evidence.Happened("D-1");
    private static final Evidence NOT_HAPPENED = new Evidence.NotHappened();
    private static final Evidence UNSURE = new Evidence.Unsure("the bank can't be reached");

    private static final Terms REJECTED_TOO = new Terms(true, false);
    private static final Terms FORCED = new Terms(false, true);

    private static final ClaimRecord DONE = claim(ClaimState.DONE, "DEBITED", CONTENT, NOON.minusSeconds(60));
    private static final ClaimRecord AT_WORK = claim(ClaimState.IN_PROGRESS, null, CONTENT, NOON.plusSeconds(20));
    private static final ClaimRecord NOBODYS = claim(ClaimState.IN_PROGRESS, null, CONTENT, Instant.EPOCH);
    private static final ClaimRecord LAPSED = claim(ClaimState.IN_PROGRESS, null, CONTENT, NOON.minusMillis(1));
    private static final ClaimRecord ENDS_NOW = claim(ClaimState.IN_PROGRESS, null, CONTENT, NOON);
    private static final ClaimRecord TECHNICAL = failed("TECHNICAL");
    private static final ClaimRecord DECIDED = failed("DECIDED");
    private static final ClaimRecord UNCERTAIN = failed("UNCERTAIN");

    private static ClaimRecord failed(String kind) {
        return claim(ClaimState.FAILED, kind, CONTENT, NOON.minusSeconds(60));
    }

    private static ClaimRecord claim(
            ClaimState state, @Nullable String outcome, Fingerprint content, Instant leaseUntil) {
        return new ClaimRecord(KEY, state, null, 1, 0, leaseUntil, content, outcome, Map.of(), NOON, NOON, null);
    }

    /** The kind is the outcome, so that each record says by itself what it is. */
    private static FailureKind kind(ClaimRecord failed) {
        return FailureKind.valueOf(String.valueOf(failed.outcome()));
    }

    private static Verdict decide(
            Reading reading, @Nullable ClaimRecord claim, Evidence evidence, int redrives, Terms terms) {
        return Redrive.decide(
                new Findings(reading, redrives, Optional.ofNullable(claim), evidence), RedriveTest::kind, terms, NOON);
    }

    private static Arguments row(
            String words, Reading reading, @Nullable ClaimRecord claim, Evidence evidence, Terms terms, String word) {
        return Arguments.of(words, reading, claim, evidence, terms, word);
    }

    static Stream<Arguments> table() {
        Terms plain = Terms.ORDINARY;
        return Stream.of(
                row("done", VALID, DONE, NOT_ASKED, plain, "DELETE"),
                row("failed technically", VALID, TECHNICAL, NOT_ASKED, plain, "REOPEN"),
                row("decided against", VALID, DECIDED, NOT_ASKED, plain, "STAY_REJECTED"),
                row("decided against, included", VALID, DECIDED, NOT_ASKED, REJECTED_TOO, "REOPEN"),
                row("decided against, forced", VALID, DECIDED, NOT_ASKED, FORCED, "STAY_REJECTED"),
                row("in doubt, and it has happened", VALID, UNCERTAIN, HAPPENED, plain, "SETTLE"),
                row("in doubt, and it has not", VALID, UNCERTAIN, NOT_HAPPENED, plain, "REOPEN"),
                row("in doubt, and nobody can say", VALID, UNCERTAIN, UNSURE, plain, "STAY_UNCERTAIN"),
                row("in doubt, and nobody was asked", VALID, UNCERTAIN, NOT_ASKED, plain, "STAY_UNCERTAIN"),
                row("somebody is at work", VALID, AT_WORK, NOT_ASKED, plain, "STAY_IN_PROGRESS"),
                row("a lease that ends now is held", VALID, ENDS_NOW, NOT_ASKED, plain, "STAY_IN_PROGRESS"),
                row("given back or reopened", VALID, NOBODYS, NOT_ASKED, plain, "SEND"),
                row("left by a crash", VALID, LAPSED, NOT_ASKED, plain, "SEND"),
                row("never claimed", VALID, null, NOT_ASKED, plain, "SEND"),
                row("no valid message", INVALID, null, NOT_ASKED, plain, "STAY_INVALID"),
                row("no valid message, forced", INVALID, null, NOT_ASKED, new Terms(true, true), "STAY_INVALID"));
    }

    @ParameterizedTest(name = "{0}: {5}")
    @MethodSource("table")
    void aLetterIsJudgedByItsClaim(
            String words, Reading reading, @Nullable ClaimRecord claim, Evidence evidence, Terms terms, String word) {
        assertThat(decide(reading, claim, evidence, 0, terms).word()).isEqualTo(word);
    }

    @Test
    void otherContentIsAConflictWhateverBecameOfTheClaim() {
        for (ClaimRecord claim : claims()) {
            ClaimRecord other = claim(claim.state(), claim.outcome(), OTHER, claim.leaseUntil());
            for (Evidence evidence : evidences()) {
                assertThat(decide(VALID, other, evidence, 0, new Terms(true, true)))
                        .as("%s, %s", claim.state(), claim.outcome())
                        .isEqualTo(new Verdict.Stay(Verdict.Reason.CONFLICT));
            }
        }
    }

    @Test
    void afterThreeRedrivesOnlyForceSendsALetterOnceMore() {
        assertThat(decide(VALID, TECHNICAL, NOT_ASKED, 2, Terms.ORDINARY).word())
                .isEqualTo("REOPEN");
        assertThat(decide(VALID, TECHNICAL, NOT_ASKED, 3, Terms.ORDINARY).word())
                .isEqualTo("STAY_REDRIVEN_OFTEN");
        assertThat(decide(VALID, NOBODYS, NOT_ASKED, 3, Terms.ORDINARY).word()).isEqualTo("STAY_REDRIVEN_OFTEN");
        assertThat(decide(VALID, null, NOT_ASKED, 900, Terms.ORDINARY).word()).isEqualTo("STAY_REDRIVEN_OFTEN");
        assertThat(decide(VALID, TECHNICAL, NOT_ASKED, 3, FORCED).word()).isEqualTo("REOPEN");
    }

    @Test
    void aLetterThatNeedsNoSendingIsDealtWithHoweverOftenItCame() {
        assertThat(decide(VALID, DONE, NOT_ASKED, 9, Terms.ORDINARY).word()).isEqualTo("DELETE");
        assertThat(decide(VALID, UNCERTAIN, HAPPENED, 9, Terms.ORDINARY).word()).isEqualTo("SETTLE");
    }

    /** Whatever comes together: nothing is deleted or ended that isn't certain, nothing is sent that somebody decided. */
    @Test
    void noCombinationBreaksThePromises() {
        int seen = 0;
        List<@Nullable ClaimRecord> all = new ArrayList<>(claims());
        all.add(null);
        all.add(claim(ClaimState.DONE, "DEBITED", OTHER, NOON));
        for (ClaimRecord claim : all) {
            for (Reading reading : List.of(VALID, INVALID)) {
                for (Evidence evidence : evidences()) {
                    for (boolean rejected : new boolean[] {false, true}) {
                        for (boolean force : new boolean[] {false, true}) {
                            for (int redrives : new int[] {0, 2, 3, 4}) {
                                Terms terms = new Terms(rejected, force);
                                promises(claim, reading, evidence, redrives, terms);
                                seen++;
                            }
                        }
                    }
                }
            }
        }
        assertThat(seen).isEqualTo(all.size() * 2 * 4 * 2 * 2 * 4);
    }

    private static void promises(
            @Nullable ClaimRecord claim, Reading reading, Evidence evidence, int redrives, Terms terms) {
        Verdict verdict = decide(reading, claim, evidence, redrives, terms);
        boolean ours = claim == null || claim.fingerprint().equals(CONTENT);
        if (verdict instanceof Verdict.Delete) {
            assertThat(claim).isEqualTo(DONE);
        }
        if (verdict instanceof Verdict.Settle(Evidence.Happened happened)) {
            assertThat(happened).isEqualTo(evidence);
            assertThat(claim).isEqualTo(UNCERTAIN);
        }
        if (verdict.sends()) {
            assertThat(reading).isEqualTo(VALID);
            assertThat(ours).isTrue();
            assertThat(redrives < 3 || terms.force()).isTrue();
            if (claim != null) {
                assertThat(claim.state()).isNotEqualTo(ClaimState.DONE);
                assertThat(claim).isNotEqualTo(AT_WORK);
                assertThat(claim.equals(DECIDED) && !terms.includeRejected()).isFalse();
            }
        }
        assertThat(verdict.text()).isNotBlank().doesNotContain("%");
    }

    @Test
    void theBankIsAskedOnlyWhereTheClaimLeavesDoubt() {
        for (ClaimRecord claim : claims()) {
            assertThat(Redrive.needsEvidence(VALID, Optional.of(claim), RedriveTest::kind))
                    .as("%s, %s", claim.state(), claim.outcome())
                    .isEqualTo(claim.equals(UNCERTAIN));
        }
        assertThat(Redrive.needsEvidence(VALID, Optional.empty(), RedriveTest::kind))
                .isFalse();
        assertThat(Redrive.needsEvidence(INVALID, Optional.empty(), RedriveTest::kind))
                .isFalse();
        ClaimRecord conflict = claim(ClaimState.FAILED, "UNCERTAIN", OTHER, NOON);
        assertThat(Redrive.needsEvidence(VALID, Optional.of(conflict), RedriveTest::kind))
                .isFalse();
    }

    private static List<ClaimRecord> claims() {
        return List.of(DONE, AT_WORK, NOBODYS, LAPSED, ENDS_NOW, TECHNICAL, DECIDED, UNCERTAIN);
    }

    private static List<Evidence> evidences() {
        return List.of(NOT_ASKED, HAPPENED, NOT_HAPPENED, UNSURE);
    }
}
