package com.finedge.once.saga;

import java.util.List;

/**
 * What is to be recorded and sent, in one transaction.
 *
 * @param saga all of it as it is from now on, its version one above the one that was decided about
 * @param note one sentence for the history, without values of messages
 */
public record Decision(
        Disposition disposition, Saga saga, WakeUp wakeUp, List<Command> commands, List<Fact> facts, String note) {

    public Decision {
        commands = List.copyOf(commands);
        facts = List.copyOf(facts);
    }
}
