package com.finedge.once.dev;

import com.finedge.once.dev.Fault.Call;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What has really happened at the bank since it was last cleared, and the faults set for what comes.
 *
 * <p>Clearing replaces the ledger: a call that was held meanwhile ends on the old one and can't reach the new one.
 */
final class Ledger {

    /** @param fresh whether this call made the entry, not an earlier one */
    record Entry<T>(T content, boolean fresh) {}

    private record Target(String chargeId, Call call) {}

    private final InstantSource clock;
    private final Map<String, Debit> debits = new LinkedHashMap<>();
    private final Map<String, Notification> notifications = new LinkedHashMap<>();
    private final Map<Target, Fault> faults = new HashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    Ledger(InstantSource clock) {
        this.clock = clock;
    }

    /** The debit of this key: a new one, or the one made before. */
    synchronized Entry<Debit> debit(String reference, String idempotencyKey, Debit.Order order) {
        Debit fresh = order.carriedOut(reference, idempotencyKey, clock.instant());
        return entry(debits.putIfAbsent(idempotencyKey, fresh), fresh);
    }

    /** The notification of this id: a new one, or the one sent before. */
    synchronized Entry<Notification> notification(Notification.Order order) {
        Notification fresh = order.sent(clock.instant());
        return entry(notifications.putIfAbsent(order.notificationId(), fresh), fresh);
    }

    synchronized boolean hasDebit(String idempotencyKey) {
        return debits.containsKey(idempotencyKey);
    }

    /** The debit of this key, if it was made. */
    synchronized Optional<Debit> debitOf(String idempotencyKey) {
        return Optional.ofNullable(debits.get(idempotencyKey));
    }

    synchronized boolean hasNotification(String notificationId) {
        return notifications.containsKey(notificationId);
    }

    synchronized List<Debit> debits() {
        return List.copyOf(debits.values());
    }

    synchronized List<Notification> notifications() {
        return List.copyOf(notifications.values());
    }

    synchronized void fault(String chargeId, Fault fault) {
        faults.put(new Target(chargeId, fault.on()), fault);
    }

    synchronized void clearFaults(String chargeId) {
        faults.keySet().removeIf(target -> target.chargeId().equals(chargeId));
    }

    /** The fault that befalls this call, counted off. */
    synchronized Optional<Fault> nextFault(String chargeId, Call call) {
        Target target = new Target(chargeId, call);
        Fault fault = faults.get(target);
        Integer times = fault == null ? null : fault.times();
        if (fault != null && times != null) {
            if (times == 1) {
                faults.remove(target);
            } else {
                faults.put(target, fault.times(times - 1));
            }
        }
        return Optional.ofNullable(fault);
    }

    /** Waits so long; false when the ledger was closed meanwhile. */
    boolean hold(Duration delay) {
        try {
            return !closed.await(delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Lets held calls go. */
    void close() {
        closed.countDown();
    }

    private static <T> Entry<T> entry(@Nullable T before, T fresh) {
        return before == null ? new Entry<>(fresh, true) : new Entry<>(before, false);
    }
}
