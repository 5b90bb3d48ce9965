package com.finedge.once.saga;

import java.time.Instant;

/** What became of a command for a step with an effect outside the database. */
public sealed interface CommandResult {

    /** It has ended. */
    record Handled(Participation participation) implements CommandResult {}

    /**
     * The step is in somebody else's hands, or may be: the command is to come again.
     *
     * @param until when it may be free
     */
    record InProgress(Instant until) implements CommandResult {}
}
