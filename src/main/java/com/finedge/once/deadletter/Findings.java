package com.finedge.once.deadletter;

import com.finedge.once.claim.ClaimRecord;
import java.util.Optional;

/**
 * All that is known about a dead letter.
 *
 * @param reading what its body is
 * @param redrives how often it was sent back before
 * @param claim the record of its key, if there is one
 * @param evidence what the performer of the effect says, where it was asked
 */
public record Findings(Reading reading, int redrives, Optional<ClaimRecord> claim, Evidence evidence) {}
