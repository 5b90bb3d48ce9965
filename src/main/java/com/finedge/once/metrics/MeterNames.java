package com.finedge.once.metrics;

/** Every meter of our own. Tags are closed sets: never a key, an id or a message. */
public final class MeterNames {

    /** Claims asked for, by {@code scope} and {@code outcome}. */
    public static final String CLAIMS = "once.claims";

    /** Claims taken over after their lease had lapsed, by {@code scope}: somebody crashed or was too slow. */
    public static final String TAKEOVERS = "once.claims.takeovers";

    /** Claims ended, by {@code scope} and {@code state}. */
    public static final String ENDED = "once.claims.ended";

    /** Claims given back for another attempt, by {@code scope}. */
    public static final String RELEASED = "once.claims.released";

    /** Writes refused because the lease was lost, by {@code scope}. */
    public static final String LEASE_LOST = "once.claims.lease.lost";

    /** Claims or messages found lost by the heartbeat while the work on them was running, by {@code scope}. */
    public static final String HOLD_LOST = "once.heartbeat.lost";

    /** Messages that the heartbeat holds. */
    public static final String HOLDING = "once.heartbeat.holding";

    /** 1 while the heartbeat is late, so that what is held may lapse; 0 else. */
    public static final String HEARTBEAT_LATE = "once.heartbeat.late";

    /** Deliveries that failed and left their message on the queue, by {@code cause}: claim-store or other. */
    public static final String FAILED_DELIVERIES = "once.messages.failed.deliveries";

    /** Messages that were no valid charge, by {@code code}. */
    public static final String REFUSED = "once.charges.refused";

    /** Charges recorded as {@code DEBITED_NOTIFICATION_FAILED}. */
    public static final String NOTIFICATIONS_FAILED = "once.charges.notifications.failed";

    /** Messages that could be started now. */
    public static final String IN_FLIGHT_FREE = "once.messages.in.flight.free";

    /** Deletes and visibility changes on their way to SQS. */
    public static final String PENDING = "once.messages.pending";

    /** Messages in the outbox that wait to be sent, of all processes together. */
    public static final String OUTBOX_PENDING = "once.outbox.pending";

    /** How long the oldest of them has been waiting, in seconds. */
    public static final String OUTBOX_OLDEST_PENDING = "once.outbox.oldest.pending";

    /** Messages in the outbox that wait to be released. */
    public static final String OUTBOX_PARKED = "once.outbox.parked";

    /** Messages that were parked. */
    public static final String OUTBOX_PARKINGS = "once.outbox.parkings";

    /** Messages sent and marked. */
    public static final String OUTBOX_SENT = "once.outbox.sent";

    /** Messages leased once more, after a failure or from a relay that vanished: they may be sent twice. */
    public static final String OUTBOX_RESENT = "once.outbox.resent";

    /** Messages that were not taken and will be tried again. */
    public static final String OUTBOX_FAILED = "once.outbox.failed";

    /** Messages that were sent when another relay had taken them over. */
    public static final String OUTBOX_LEASE_LOST = "once.outbox.lease.lost";

    /** Messages received by the inbox, by {@code consumer} and {@code result}: applied or duplicate. */
    public static final String INBOX_RECEIVED = "once.inbox.received";

    /** Valid requests to raise a charge, by {@code result}: raised, replayed, mismatch, in-flight or charge-exists. */
    public static final String BILLING_REQUESTS = "once.billing.requests";

    /** Transitions of sagas, by {@code saga} (its type) and {@code disposition}. */
    public static final String SAGA_TRANSITIONS = "once.sagas.transitions";

    /** Commands that participants have handled, by {@code step}, {@code direction} and {@code result}. */
    public static final String SAGA_COMMANDS = "once.sagas.commands";

    /** Messages to sagas that had been received before. */
    public static final String SAGA_REPEATED = "once.sagas.repeated";

    /** Answers to sagas that aren't here. */
    public static final String SAGA_ORPHANS = "once.sagas.orphans";

    /** Sagas that haven't ended, by {@code saga} and {@code state}, of all processes together. */
    public static final String SAGA_LIVE = "once.sagas.live";

    /** How long ago the oldest of them has started, in seconds, by {@code saga} and {@code state}. */
    public static final String SAGA_OLDEST = "once.sagas.oldest";

    /** Sagas that somebody should look at, by {@code reason}, of all processes together. */
    public static final String SAGA_ATTENTION = "once.sagas.attention";

    /** How long after their time sagas were woken. */
    public static final String SAGA_TIMER_LAG = "once.sagas.timer.lag";

    /** Timers that have failed and were pushed back. */
    public static final String SAGA_TIMER_FAILED = "once.sagas.timer.failed";

    /** Queues whose participants are behind, so that nobody is given up for their silence. */
    public static final String SAGA_QUEUES_BEHIND = "once.sagas.queues.behind";

    /** Versions of definitions that sagas are under way by and that this process doesn't know. */
    public static final String SAGA_UNKNOWN_VERSIONS = "once.sagas.unknown.versions";

    /** Messages in a dead-letter queue, by {@code queue}, about, of all processes together. */
    public static final String DEAD_LETTERS = "once.dead.letters";

    /** How long ago the oldest of them that was seen was sent, in seconds, by {@code queue}. */
    public static final String DEAD_LETTERS_OLDEST = "once.dead.letters.oldest";

    /** Dead letters that a redrive has dealt with, by {@code queue} and {@code verdict}. */
    public static final String DEAD_LETTERS_REDRIVEN = "once.dead.letters.redriven";

    private MeterNames() {}
}
