package com.finedge.once.audit;

import java.util.List;

/** Where the actions of operators are kept. Entries are added, never changed and never removed. */
public interface AuditLog {

    /**
     * Adds an action, before it is done: an action that isn't in the log must not happen.
     *
     * @throws RuntimeException if it can't be stored; then it mustn't be done
     */
    void record(OperatorAction action);

    /** The actions on one target, the latest first. */
    List<OperatorAction> on(String target, int most);

    /** The actions on anything, the latest first. */
    List<OperatorAction> latest(int most);
}
