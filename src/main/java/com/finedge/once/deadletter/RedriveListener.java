package com.finedge.once.deadletter;

/** Is told how a redrive gets on, on the thread that does it; must not block. What it throws is logged and forgotten. */
@FunctionalInterface
public interface RedriveListener {

    /** It has got on, or ended; at most some times a second. */
    void progressed(RedriveProgress progress);
}
