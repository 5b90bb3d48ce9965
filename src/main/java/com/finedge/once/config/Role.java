package com.finedge.once.config;

import java.util.Set;

/** A part of the application that a process may run. */
public enum Role {
    /** Recovers charges that are due. */
    CHARGE_RECOVERY;

    /** The ids of the routes that the role can't do without. */
    public Set<String> routes() {
        return switch (this) {
            case CHARGE_RECOVERY -> Set.of("recover-charge", "delete-message", "defer-message", "dead-letter-message");
        };
    }
}
