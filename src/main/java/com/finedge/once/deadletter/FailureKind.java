package com.finedge.once.deadletter;

/** Why a claim has FAILED, as far as trying again is concerned. */
public enum FailureKind {
    /** It couldn't be tried or didn't get through; another try may. */
    TECHNICAL,
    /** Whoever performs it has decided against it, and would again unless something has changed there. */
    DECIDED,
    /** Nobody here knows whether it has happened. */
    UNCERTAIN
}
