package com.finedge.once.saga;

import java.time.Duration;

/** Is told what happens to sagas, after the transaction it happened in; must not throw and not block. */
public interface SagaListener {

    /** Listens to nothing. */
    SagaListener NONE = new SagaListener() {};

    /** A saga has made a transition. */
    default void decided(String sagaType, Disposition disposition) {}

    /** A message was found to be one that had been received before. */
    default void repeated() {}

    /** An answer has come for a saga that isn't here. */
    default void orphan() {}

    /**
     * A timer has run.
     *
     * @param late how long after its time
     */
    default void woken(Duration late) {}

    /** A timer has failed and was pushed back. */
    default void wakeFailed() {}

    /** A queue's participant has fallen behind, or is no longer: so long nobody is given up for its silence. */
    default void behind(String queue, boolean behind) {}

    /** All sagas were counted. */
    default void counted(SagaCensus census) {}
}
