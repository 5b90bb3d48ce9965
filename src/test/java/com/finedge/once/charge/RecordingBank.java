package com.finedge.once.charge;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A bank in memory that keeps its idempotency key, and first gives the answers it was told to give. */
public final class RecordingBank implements AccountDebitPort {

    private final Deque<DebitResult> answers = new ArrayDeque<>();
    private final Map<ChargeId, DebitResult.Debited> ledger = new ConcurrentHashMap<>();
    private final AtomicInteger calls = new AtomicInteger();

    /** The next answers, before it answers by itself again. */
    public void answersNext(DebitResult... next) {
        answers.addAll(Arrays.asList(next));
    }

    @Override
    public synchronized DebitResult debit(Charge charge) {
        calls.incrementAndGet();
        DebitResult told = answers.poll();
        if (told != null && !(told instanceof DebitResult.Unknown)) {
            return told;
        }
        DebitResult.Debited receipt =
                ledger.computeIfAbsent(charge.id(), id -> new DebitResult.Debited("D-" + (ledger.size() + 1)));
        // An unknown outcome is one whose answer got lost after the money had moved: the worst case.
        return told == null ? receipt : told;
    }

    @Override
    public DebitSearch find(ChargeId id) {
        DebitResult.Debited receipt = ledger.get(id);
        return receipt == null ? new DebitSearch.NotFound() : new DebitSearch.Found(receipt.reference());
    }

    /** How often it was asked. */
    public int calls() {
        return calls.get();
    }

    /** How much money really moved. */
    public int debits() {
        return ledger.size();
    }
}
