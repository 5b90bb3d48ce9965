package com.finedge.once.claim;

/** Is told what happens to claims, on the thread that does it; must not throw and not block. */
public interface ClaimListener {

    /** Listens to nothing. */
    ClaimListener NONE = new ClaimListener() {};

    /** A claim was asked for and answered. */
    default void answered(ClaimKey key, ClaimResult result) {}

    /** A claim was ended by its owner. */
    default void ended(Claim claim, ClaimState state, String outcome) {}

    /** A claim that had failed was ended as done after all. */
    default void settled(ClaimKey key, String outcome) {}

    /** A claim was given back. */
    default void released(Claim claim) {}

    /** An owner's write was refused: somebody else had taken over. */
    default void leaseLost(Claim claim) {}

    /** The heartbeat found a claim or its message to be held no more, while the work on it was running. */
    default void holdLost(Claim claim) {}
}
