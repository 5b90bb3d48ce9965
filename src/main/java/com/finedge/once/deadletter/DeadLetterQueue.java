package com.finedge.once.deadletter;

import java.time.Duration;
import java.util.List;

/**
 * A dead-letter queue, to be looked at.
 *
 * <p>Nothing that is received is lost: it is hidden for the time that was asked for, and comes back by itself if whoever
 * received it dies. Broken infrastructure is a {@link DeadLetterQueueException}.
 */
public interface DeadLetterQueue {

    /** Its name. */
    String name();

    /** How many messages it holds, about. */
    Depth depth();

    /**
     * Receives messages, in no order, and hides them for that long.
     *
     * @param most at most 10
     * @param hidden whole seconds
     * @return none if there are none, or if all are hidden
     */
    List<DeadLetter> receive(int most, Duration hidden);

    /** Makes the messages visible again, at once; what can't be handed back comes back when its time is over. */
    void handBack(List<DeadLetter> letters);
}
