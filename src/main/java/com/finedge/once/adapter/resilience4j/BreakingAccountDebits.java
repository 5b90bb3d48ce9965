package com.finedge.once.adapter.resilience4j;

import com.finedge.once.charge.AccountDebitPort;
import com.finedge.once.charge.Charge;
import com.finedge.once.charge.ChargeId;
import com.finedge.once.charge.DebitResult;
import com.finedge.once.charge.DebitSearch;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;

/** Asks the bank only while its circuit is closed; an open one is a bank that is unavailable. */
public final class BreakingAccountDebits implements AccountDebitPort {

    private final AccountDebitPort bank;
    private final CircuitBreaker circuit;

    public BreakingAccountDebits(AccountDebitPort bank, CircuitBreaker circuit) {
        this.bank = bank;
        this.circuit = circuit;
    }

    @Override
    public DebitResult debit(Charge charge) {
        if (!circuit.tryAcquirePermission()) {
            return new DebitResult.Unavailable("the circuit of the bank is open");
        }
        long start = circuit.getCurrentTimestamp();
        try {
            DebitResult result = bank.debit(charge);
            long took = circuit.getCurrentTimestamp() - start;
            if (result instanceof DebitResult.Uncertain uncertain) {
                circuit.onError(took, circuit.getTimestampUnit(), new UncertainDebitException(uncertain.reason()));
            } else {
                // A refusal is an answer too: the bank is there.
                circuit.onSuccess(took, circuit.getTimestampUnit());
            }
            return result;
        } catch (RuntimeException | Error e) {
            // Also an Error: a permission that is never given back would keep a probed circuit from closing.
            circuit.onError(circuit.getCurrentTimestamp() - start, circuit.getTimestampUnit(), e);
            throw e;
        }
    }

    /** Whatever the circuit says: it guards debits, and one question by an operator's hand opens and closes nothing. */
    @Override
    public DebitSearch find(ChargeId id) {
        return bank.find(id);
    }

    /** Tells the circuit of an answer that is none. */
    private static final class UncertainDebitException extends RuntimeException {
        private UncertainDebitException(String reason) {
            super(reason, null, false, false);
        }
    }
}
