package com.finedge.once.camel;

/** Whether what the work on a message needs is there. */
public interface BackEnds {

    /** What a poll may do. */
    enum State {
        /** Everything answers: poll. */
        UP,
        /** It is not known whether they answer again: poll alone, and see. */
        PROBING,
        /** One of them doesn't answer: a message received now would only burn a receive. */
        DOWN
    }

    /** The state of the worst of them. */
    State state();
}
