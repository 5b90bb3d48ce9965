package com.finedge.once.saga;

/** Is told what participants do, after their transaction has ended; must not throw and not block. */
@FunctionalInterface
public interface ParticipantListener {

    /** A command for this step of a definition was handled. */
    void handled(String step, Direction direction, Participation participation);
}
