package com.finedge.once.console;

import com.finedge.once.outbox.OutboxStore;
import com.finedge.once.saga.Disposition;
import com.finedge.once.saga.SagaEvent.Operated;
import com.finedge.once.saga.SagaEvent.Verb;
import com.finedge.once.saga.Sagas;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators do to the outbox and to sagas, by page or by endpoint: each with a name and a reason. */
public final class OperatorActions {

    private static final Logger log = LoggerFactory.getLogger(OperatorActions.class);

    /**
     * Makes a parked message due again.
     *
     * @return whether there was a parked message of that id
     * @throws IllegalArgumentException without a name and a reason
     */
    boolean release(OutboxStore outbox, String id, String who, String why) {
        if (why.isBlank()) {
            throw new IllegalArgumentException("an operator says why");
        }
        boolean released = outbox.release(id);
        log.info("message {} was released by {}", id, who);
        return released;
    }

    /**
     * Does what the verb says; nothing if there is no such saga.
     *
     * @throws IllegalArgumentException without a name and a reason
     */
    Optional<Disposition> operate(Sagas sagas, UUID id, Verb verb, String who, String why) {
        return sagas.operate(id, new Operated(verb, who, why));
    }
}
