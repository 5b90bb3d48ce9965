package com.finedge.once.deadletter;

import com.finedge.once.audit.Operator;
import com.finedge.once.claim.ClaimKey;
import com.finedge.once.claim.ClaimRecord;

/** The effects that dead letters asked for, as the application knows them that performs them. */
public interface Effects {

    /** Reads a body exactly as the one that receives it for its effect. */
    Reading read(String body);

    /** Why a claim has failed. */
    FailureKind kind(ClaimRecord failed);

    /** Asks whoever performs the effect whether it has happened; a fault is an answer, nothing is thrown. */
    Evidence ask(ClaimKey key);

    /**
     * Ends a FAILED claim as DONE, because its effect has happened after all; does what belongs to that, so that nobody can
     * tell afterwards that the answer came late.
     *
     * @param body of the letter, which reads as {@link Reading.Valid}
     * @param seen the claim as it was when the evidence was asked for
     * @return whether it is recorded; false if the claim has changed meanwhile, or if others couldn't be told
     */
    boolean settle(String body, ClaimRecord seen, Evidence.Happened happened, Operator by);

    /**
     * A corrected body as a message of its own, under a new event id that is the same for the same letter.
     *
     * @param letterId the letter that it stands for
     * @param corrected a body that reads as {@link Reading.Valid}
     */
    String renewed(String letterId, String corrected);
}
