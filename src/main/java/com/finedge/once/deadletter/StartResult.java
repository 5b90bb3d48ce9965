package com.finedge.once.deadletter;

/** What a process says to an order. */
public sealed interface StartResult {

    /** It runs. */
    record Started(RedriveProgress progress) implements StartResult {}

    /** Another one runs, and must end or be cancelled first. */
    record Busy(RedriveProgress running) implements StartResult {}
}
