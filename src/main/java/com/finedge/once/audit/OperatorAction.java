package com.finedge.once.audit;

import java.time.Instant;
import java.util.regex.Pattern;

/**
 * One entry of the log.
 *
 * @param by who and why
 * @param what the action, for instance {@code redrive} or {@code reopen-claim}: lower case, digits and hyphens, at most 40
 * @param target what it was done to, for instance {@code charge-recovery#CHG-1}: 1 to 200 characters
 * @param result what came of it, or what was ordered where it is still to be done: 1 to 1,000 characters
 */
public record OperatorAction(Operator by, String what, String target, String result, Instant at) {

    private static final Pattern WHAT = Pattern.compile("[a-z][a-z0-9-]{0,39}");
    private static final int LONGEST_TARGET = 200;
    private static final int LONGEST_RESULT = 1_000;

    /** @throws IllegalArgumentException if a text is of another form */
    public OperatorAction {
        if (!WHAT.matcher(what).matches()) {
            throw new IllegalArgumentException("what must match " + WHAT);
        }
        target = Operator.checked("target", target, LONGEST_TARGET);
        result = Operator.checked("result", result, LONGEST_RESULT);
    }
}
