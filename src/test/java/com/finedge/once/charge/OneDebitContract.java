package com.finedge.once.charge;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.ClaimOutcome;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimState;
import com.finedge.once.claim.ClaimStore;
import com.finedge.once.claim.Claims;
import com.finedge.once.retry.BackOff;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Currency;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Fifty deliveries of one charge at the same moment. */
public abstract class OneDebitContract {

    private static final int DELIVERIES = 50;

    /** The store under test. */
    protected abstract ClaimStore store();

    @Test
    void fiftyThreadsOnOneChargeDebitItOnce() throws Exception {
        RecordingBank bank = new RecordingBank();
        RecordingNotifications notifications = new RecordingNotifications();
        Claims claims = new Claims(
                store(),
                Duration.ofSeconds(30),
                Duration.ofDays(60),
                InstantSource.system(),
                UUID::randomUUID,
                ClaimListener.NONE);
        ChargeRecoveryService service = new ChargeRecoveryService(
                claims,
                bank,
                notifications,
                OutcomePort.NONE,
                InstantSource.system(),
                5,
                new BackOff(Duration.ofSeconds(1), Duration.ofMinutes(1)),
                new SplittableRandom(1));
        Charge charge = new Charge(
                new ChargeId("CHG-" + UUID.randomUUID()),
                "ACC-42",
                "SMS_ALERT_FEE",
                new Money(new BigDecimal("19.90"), Currency.getInstance("EUR")),
                Instant.parse("2026-03-01T00:00:00Z"));
        CyclicBarrier start = new CyclicBarrier(DELIVERIES);
        Callable<ClaimOutcome> delivery = () -> {
            start.await();
            ClaimResult result = service.claim(charge);
            if (result instanceof ClaimResult.Acquired acquired
                    && service.debit(acquired.claim(), charge) instanceof DebitResult.Debited debited) {
                service.complete(acquired.claim(), charge, debited, service.notifyCustomer(charge, debited));
            }
            return result.outcome();
        };

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ClaimOutcome>> outcomes = threads.invokeAll(Collections.nCopies(DELIVERIES, delivery));
            int acquired = 0;
            for (Future<ClaimOutcome> outcome : outcomes) {
                acquired += outcome.get() == ClaimOutcome.ACQUIRED ? 1 : 0;
            }
            assertThat(acquired).isEqualTo(1);
        }

        // The calls, not the ledger: the claim alone must have held the others back.
        assertThat(bank.calls()).isEqualTo(1);
        assertThat(notifications.sent()).hasSize(1);
        assertThat(claims.find(charge.id().claimKey()).orElseThrow().state()).isEqualTo(ClaimState.DONE);
    }
}
