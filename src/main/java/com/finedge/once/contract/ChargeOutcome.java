package com.finedge.once.contract;

import java.time.Instant;

/**
 * How the recovery of a charge has ended; both kinds travel on one queue, told apart by {@link #eventType}.
 *
 * <p>A receiver applies each {@link #eventId} once, whatever else differs in a repeat. It may meet both kinds for one
 * charge, in any order, since a failed charge can be reopened and recovered: then recovered is what counts.
 */
public sealed interface ChargeOutcome permits ChargeRecovered, ChargeFailed {

    /** The one version of these messages that this package describes. */
    int CURRENT_VERSION = 1;

    /** Always {@link #CURRENT_VERSION}. */
    int schemaVersion();

    /** Names this event: the same in every repeat of the same outcome of the same charge. */
    String eventId();

    /** The name of the record: which kind of outcome it is. */
    String eventType();

    /** The business key of the charge, as in its {@link ChargeDueEvent}. */
    String chargeId();

    /** When the outcome was recorded. */
    Instant occurredAt();
}
