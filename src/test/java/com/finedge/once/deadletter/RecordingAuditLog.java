package com.finedge.once.deadletter;

import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.OperatorAction;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps actions in this process. */
final class RecordingAuditLog implements AuditLog {

    private final List<OperatorAction> actions = new CopyOnWriteArrayList<>();

    @Override
    public void record(OperatorAction action) {
        actions.addFirst(action);
    }

    @Override
    public List<OperatorAction> on(String target, int most) {
        return actions.stream()
                .filter(action -> action.target().equals(target))
                .limit(most)
                .toList();
    }

    @Override
    public List<OperatorAction> latest(int most) {
        return actions.stream().limit(most).toList();
    }
}
