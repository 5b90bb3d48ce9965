package com.finedge.once.adapter.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.finedge.once.charge.AccountDebitPort;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.charge.DebitOutcome;
import com.finedge.once.charge.DebitResult;
import com.finedge.once.charge.DebitSearch;
import com.finedge.once.charge.Money;
import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimEnd;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimOutcome;
import com.finedge.once.claim.ClaimRequest;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.ClaimStoreContract;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.ClaimWrite;
import com.finedge.once.claim.Fingerprint;
import com.finedge.once.claim.InMemoryClaimStore;
import com.finedge.once.support.ForwardingClaimStore;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CircuitsTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Charge CHARGE = new Charge(
            new ChargeId("CHG-1"),
            "ACC-42",
            "SMS_ALERT_FEE",
            new Money(new BigDecimal("19.90"), Currency.getInstance("EUR")),
            NOON);

    private final Circuits circuits = new Circuits(Duration.ofMillis(100), 10);
    private final AtomicInteger asked = new AtomicInteger();
    private DebitResult answer = new DebitResult.Debited("D-1");
    private final AccountDebitPort bank = new BreakingAccountDebits(
            new AccountDebitPort() {
                @Override
                public DebitResult debit(Charge charge) {
                    asked.incrementAndGet();
                    return answer;
                }

                @Override
                public DebitSearch find(ChargeId id) {
                    return new DebitSearch.NotFound();
                }
            },
            circuits.bank());

    private void debit(int times) {
        for (int i = 0; i < times; i++) {
            bank.debit(CHARGE);
        }
    }

    @Test
    void aBankThatGivesNoCertainAnswerOpensItsCircuitAndIsNotAskedAnyMore() {
        answer = new DebitResult.Unknown("the bank did not answer in time or broke off");
        debit(10);
        assertThat(circuits.bank().getState()).isEqualTo(State.OPEN);
        assertThat(circuits.claimStore().getState()).isEqualTo(State.CLOSED);

        assertThat(bank.debit(CHARGE).outcome()).isEqualTo(DebitOutcome.UNAVAILABLE);
        assertThat(asked).hasValue(10);
    }

    @Test
    void aRefusalIsAnAnswer() {
        answer = new DebitResult.Rejected("INSUFFICIENT_FUNDS");
        debit(100);

        assertThat(circuits.bank().getState()).isEqualTo(State.CLOSED);
        assertThat(asked).hasValue(100);
    }

    @Test
    void oneBrokenChargeOpensNothing() {
        answer = new DebitResult.Unknown("the bank answered 500");
        debit(4);
        answer = new DebitResult.Debited("D-1");
        debit(16);

        assertThat(circuits.bank().getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void aPollsWorthOfGoodProbesClosesTheCircuitHoweverLongTheyTakeToCome() {
        answer = new DebitResult.Unavailable("the bank answered 503");
        debit(10);
        await().atMost(Duration.ofSeconds(5)).until(() -> circuits.bank().getState() == State.HALF_OPEN);
        // Nothing to probe with for longer than the pause: it must not fall back to open.
        await().pollDelay(Duration.ofMillis(300)).until(() -> circuits.bank().getState() == State.HALF_OPEN);

        answer = new DebitResult.Debited("D-1");
        debit(10);

        assertThat(circuits.bank().getState()).isEqualTo(State.CLOSED);
    }

    @Test
    void badProbesOpenItAgain() {
        answer = new DebitResult.Unavailable("the bank answered 503");
        debit(10);
        await().atMost(Duration.ofSeconds(5)).until(() -> circuits.bank().getState() == State.HALF_OPEN);

        debit(10);

        assertThat(circuits.bank().getState()).isEqualTo(State.OPEN);
    }

    @Test
    void anOpenClaimStoreMakesNoClaimButRecordsEveryEnd() {
        BrokenStore broken = new BrokenStore();
        ClaimStore store = new BreakingClaimStore(broken, circuits.claimStore());
        ClaimRequest request =
                new ClaimRequest(new ClaimKey("test", "K-1"), Fingerprint.of("x"), "me", NOON, NOON.plusSeconds(30));
        Claim claim = ((ClaimResult.Acquired) store.claim(request)).claim();
        broken.down = true;
        for (int i = 0; i < 20; i++) {
            assertThatExceptionOfType(ClaimStoreException.class).isThrownBy(() -> store.claim(request));
        }
        assertThat(circuits.claimStore().getState()).isEqualTo(State.OPEN);
        int before = broken.claims.get();
        assertThatExceptionOfType(ClaimStoreException.class).isThrownBy(() -> store.claim(request));
        assertThat(broken.claims).hasValue(before);

        broken.down = false;
        ClaimEnd end = new ClaimEnd(ClaimState.DONE, "DEBITED", Map.of(), NOON, NOON.plusSeconds(99));
        assertThat(store.finish(claim, end)).isEqualTo(ClaimWrite.WRITTEN);
        assertThat(store.find(claim.key()).orElseThrow().state()).isEqualTo(ClaimState.DONE);
    }

    @Test
    void aDuplicateIsAnAnswerToo() {
        ClaimStore store = new BreakingClaimStore(new InMemoryClaimStore(), circuits.claimStore());
        ClaimKey key = new ClaimKey("test", "K-1");
        store.claim(new ClaimRequest(key, Fingerprint.of("x"), "a", NOON, NOON.plusSeconds(30)));
        for (int i = 0; i < 50; i++) {
            assertThat(store.claim(new ClaimRequest(key, Fingerprint.of("x"), "b", NOON, NOON.plusSeconds(30)))
                            .outcome())
                    .isEqualTo(ClaimOutcome.DUPLICATE_IN_PROGRESS);
        }
        assertThat(circuits.claimStore().getState()).isEqualTo(State.CLOSED);
    }

    /** A circuit in between changes nothing of the contract. */
    @Nested
    class TheContract extends ClaimStoreContract {

        private final ClaimStore store =
                new BreakingClaimStore(new InMemoryClaimStore(), new Circuits(Duration.ofSeconds(1), 10).claimStore());

        @Override
        protected ClaimStore store() {
            return store;
        }
    }

    /** The store in memory, with an outage. */
    private static final class BrokenStore extends ForwardingClaimStore {

        private final AtomicInteger claims = new AtomicInteger();
        private boolean down;

        @Override
        public ClaimResult claim(ClaimRequest request) {
            claims.incrementAndGet();
            if (down) {
                throw new ClaimStoreException("throttled");
            }
            return super.claim(request);
        }
    }
}
