package com.finedge.once.charge;

import com.finedge.once.audit.Operator;
import com.finedge.once.charge.DebitResult.Debited;
import com.finedge.once.charge.DebitResult.Rejected;
import com.finedge.once.charge.DebitResult.Uncertain;
import com.finedge.once.claim.Claim;
import com.finedge.once.claim.ClaimRecord;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimWrite;
import com.finedge.once.claim.Claims;
import com.finedge.once.retry.BackOff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The rules of each step of recovering a charge; the route {@code recover-charge} puts the steps together.
 *
 * <ol>
 *   <li>{@link #claim}: only who acquires the claim goes on.
 *   <li>{@link #debit}, with the charge id as the idempotency key.
 *   <li>{@link #notifyCustomer}, which may fail without touching the debit.
 *   <li>{@link #complete}, or {@link #fail} after the bank's refusal, or {@link #postpone} while the end is uncertain.
 * </ol>
 *
 * <p>Where others want to know how a charge has ended, they are told before the end is recorded: claims and queues are two
 * systems, and of the two orders this is the one that can only repeat an event, not lose it.
 */
public final class ChargeRecoveryService {

    /** Recorded for a charge that was debited and notified. */
    public static final String DEBITED = "DEBITED";

    /** Recorded for a charge that was debited, but whose notification was not taken. */
    public static final String DEBITED_NOTIFICATION_FAILED = "DEBITED_NOTIFICATION_FAILED";

    /** Recorded when the bank couldn't be reached in all attempts. */
    public static final String RETRIES_EXHAUSTED = "RETRIES_EXHAUSTED";

    /** Recorded when the last attempt left open whether the money was moved. */
    public static final String OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN";

    /** Under this name a FAILED claim's detail says what kind of failure it is: {@link #TECHNICAL} or a decision. */
    static final String FAILURE = "failure";

    static final String TECHNICAL = "TECHNICAL";

    private static final String UNPUBLISHED = "its outcome can't be published";

    private final Claims claims;
    private final AccountDebitPort bank;
    private final NotificationPort notifications;
    private final OutcomePort outcomes;
    private final InstantSource clock;
    private final int maxAttempts;
    private final BackOff backOff;
    private final RandomGenerator random;

    /** @param maxAttempts how often the debit is tried before the charge is given up, at least 1 */
    public ChargeRecoveryService(
            Claims claims,
            AccountDebitPort bank,
            NotificationPort notifications,
            OutcomePort outcomes,
            InstantSource clock,
            int maxAttempts,
            BackOff backOff,
            RandomGenerator random) {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("at least one attempt");
        }
        this.claims = claims;
        this.bank = bank;
        this.notifications = notifications;
        this.outcomes = outcomes;
        this.clock = clock;
        this.maxAttempts = maxAttempts;
        this.backOff = backOff;
        this.random = random;
    }

    /** Asks for the right to recover the charge. */
    public ClaimResult claim(Charge charge) {
        return claims.claim(charge.id().claimKey(), charge.fingerprint());
    }

    /** Debits the account, unless the claim is known to be lost. */
    public DebitResult debit(Claim claim, Charge charge) {
        return claim.unlessLost(() -> bank.debit(charge))
                .orElseGet(() -> new DebitResult.Unavailable("the claim was lost before the debit"));
    }

    /** Tells the customer. */
    public NotificationResult notifyCustomer(Charge charge, Debited debited) {
        return notifications.send(Notification.of(charge, debited));
    }

    /**
     * Tells others of the debit, then records it. A notification that failed is recorded too: it never repeats the debit.
     */
    public ChargeAttempt complete(Claim claim, Charge charge, Debited debited, NotificationResult notification) {
        Map<String, String> detail = detail(debited, notification);
        String outcome = outcome(notification);
        if (!outcomes.publish(Outcomes.recovered(charge, outcome, debited, clock.instant()))) {
            return release(claim, UNPUBLISHED);
        }
        return claims.markDone(claim, outcome, detail) == ClaimWrite.WRITTEN
                ? ChargeAttempt.recovered(outcome)
                : ChargeAttempt.leaseLost();
    }

    private static String outcome(NotificationResult notification) {
        return notification instanceof NotificationResult.NotSent ? DEBITED_NOTIFICATION_FAILED : DEBITED;
    }

    private static Map<String, String> detail(Debited debited, NotificationResult notification) {
        Map<String, String> detail = new LinkedHashMap<>();
        if (debited.reference() != null) {
            detail.put("debitReference", debited.reference());
        }
        if (notification instanceof NotificationResult.NotSent(String reason)) {
            detail.put("notification", reason);
        }
        return detail;
    }

    /**
     * Ends a charge that was given up in doubt and turned out to be debited, as {@link #complete} would have: the customer is
     * told, others are told, and then it is recorded.
     *
     * @param seen the FAILED claim as it was when the bank was asked
     * @return whether it is recorded; if not, others can't be told or the claim has changed meanwhile
     */
    public boolean settle(ClaimRecord seen, Charge charge, Debited debited, Operator by) {
        NotificationResult notification = notifyCustomer(charge, debited);
        String outcome = outcome(notification);
        if (!outcomes.publish(Outcomes.recovered(charge, outcome, debited, clock.instant()))) {
            return false;
        }
        Map<String, String> detail = detail(debited, notification);
        detail.put("settledBy", by.who());
        detail.put("settledBecause", by.why());
        return claims.settle(seen, outcome, detail);
    }

    /** Records the bank's refusal: the charge won't be tried again. */
    public ChargeAttempt fail(Claim claim, Rejected rejected) {
        return giveUp(claim, rejected.code(), "REJECTED", "rejected by the bank");
    }

    /** Gives the charge back for another attempt, or records that the attempts are spent. */
    public ChargeAttempt postpone(Claim claim, Uncertain uncertain) {
        if (claim.attempt() >= maxAttempts) {
            String code = uncertain.outcome() == DebitOutcome.UNKNOWN ? OUTCOME_UNKNOWN : RETRIES_EXHAUSTED;
            return giveUp(claim, code, TECHNICAL, uncertain.reason());
        }
        return release(claim, uncertain.reason());
    }

    /** Before the message comes back its claim must be free, or it would find itself a duplicate in progress. */
    private ChargeAttempt release(Claim claim, String reason) {
        return claims.release(claim) == ClaimWrite.WRITTEN
                ? ChargeAttempt.postponed(reason, backOff(claim))
                : ChargeAttempt.leaseLost();
    }

    /** How long the attempt after this one is to wait: longer with each, and by chance. */
    public Duration backOff(Claim claim) {
        return backOff.after(claim.attempt(), random);
    }

    private ChargeAttempt giveUp(Claim claim, String code, String kind, String reason) {
        if (!outcomes.publish(Outcomes.failed(claim, code, reason, clock.instant()))) {
            return release(claim, UNPUBLISHED);
        }
        return claims.markFailed(claim, code, Map.of(FAILURE, kind, "reason", reason)) == ClaimWrite.WRITTEN
                ? ChargeAttempt.failed(code, reason)
                : ChargeAttempt.leaseLost();
    }
}
