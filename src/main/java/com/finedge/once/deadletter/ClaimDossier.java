package com.finedge.once.deadletter;

import com.finedge.once.audit.OperatorAction;
import com.finedge.once.claim.ClaimRecord;
import java.util.List;

/**
 * One claim with all that is known of it.
 *
 * @param actions what operators did to it, the latest first
 * @param evidence what the performer of the effect says
 */
public record ClaimDossier(ClaimRecord claim, List<OperatorAction> actions, Evidence evidence) {}
