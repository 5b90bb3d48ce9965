package com.finedge.once.deadletter;

import com.finedge.once.audit.Operator;

/**
 * A body that an operator has put right.
 *
 * @param by who and why
 * @param body to be read as any received one
 */
public record Correction(Operator by, String body) {

    /** Without the body: this may be logged. */
    @Override
    public String toString() {
        return "correction by " + by.who();
    }
}
