package com.finedge.once.saga;

import java.time.Duration;

/**
 * How long a step waits for its answer. A timeout means that the step is in doubt, never that it has failed.
 *
 * @param after how long one attempt waits, from when its command has left
 * @param resend how often the command is sent again, from 0, before {@code then} applies
 */
public record Timeout(Duration after, int resend, Then then) {

    /** What happens when all attempts are spent. */
    public enum Then {
        /** The step is in doubt: it is undone, and then those before it. */
        COMPENSATE,
        /** The saga waits, sends again at growing intervals and asks for attention. */
        HOLD
    }

    /** How often a command is sent again where the definition doesn't say. */
    public static final int USUAL_RESENDS = 3;

    /** @throws IllegalArgumentException unless {@code after} is positive and {@code resend} isn't negative */
    public Timeout {
        if (!after.isPositive() || resend < 0) {
            throw new IllegalArgumentException("a timeout needs a positive time and no negative number of resends");
        }
    }
}
