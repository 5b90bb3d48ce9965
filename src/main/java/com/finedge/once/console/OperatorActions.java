package com.finedge.once.console;

import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.Operator;
import com.finedge.once.audit.OperatorAction;
import com.finedge.once.deadletter.RedriveProgress;
import com.finedge.once.deadletter.Redrives;
import com.finedge.once.outbox.OutboxStore;
import com.finedge.once.saga.Disposition;
import com.finedge.once.saga.SagaEvent.Operated;
import com.finedge.once.saga.SagaEvent.Verb;
import com.finedge.once.saga.Sagas;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/**
 * What operators do to the outbox and to sagas, by page or by endpoint. Each action is in the audit log before it is done:
 * where the log can't be written, nothing is.
 */
public final class OperatorActions {

    private final AuditLog audit;
    private final InstantSource clock;

    public OperatorActions(AuditLog audit, InstantSource clock) {
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Makes a parked message due again.
     *
     * @return whether there was a parked message of that id
     * @throws IllegalArgumentException without a name and a reason
     */
    boolean release(OutboxStore outbox, String id, Operator by) {
        record(by, "release-message", "outbox#" + id, "ordered");
        return outbox.release(id);
    }

    /**
     * Does what the verb says; nothing if there is no such saga.
     *
     * @throws IllegalArgumentException without a name and a reason
     */
    Optional<Disposition> operate(Sagas sagas, UUID id, Verb verb, Operator by) {
        return sagas.find(id).flatMap(dossier -> {
            String target = dossier.saga().type() + "#" + dossier.saga().businessKey();
            record(by, SagaVerb.of(verb).label(), target, "ordered: " + verb.label());
            return sagas.operate(id, new Operated(verb, by.who(), by.why()));
        });
    }

    /** Has a redrive stop after what it has in hand; nothing if there is no such redrive. Whoever is in a hurry gives no reason. */
    Optional<RedriveProgress> cancel(Redrives redrives, String id, String who) {
        return redrives.find(id).flatMap(run -> {
            record(new Operator(who, "stopped on its page"), "cancel-redrive", "redrive#" + id, "ordered");
            return redrives.cancel(id);
        });
    }

    private void record(Operator by, String what, String target, String result) {
        audit.record(new OperatorAction(by, what, target, result, clock.instant()));
    }
}
