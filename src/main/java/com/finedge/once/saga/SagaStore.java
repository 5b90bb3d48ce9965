package com.finedge.once.saga;

import com.finedge.once.claim.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where sagas are kept. What locks or writes must be called within {@link #inTransaction}.
 *
 * <p>Times are the store's: the clocks of several processes needn't agree.
 */
public interface SagaStore {

    /**
     * Runs the work in one transaction, which what it throws rolls back. A lock that isn't had in time is such an
     * exception.
     */
    <T> T inTransaction(Supplier<T> work);

    /** The saga, locked until the transaction ends, as the last transition has left it. */
    Optional<Saga> lock(UUID sagaId);

    /** A saga whose time has come. */
    record Due(Saga saga, Duration late) {}

    /**
     * The saga that has been due for the longest, locked until the transaction ends; those that others hold are left to
     * them.
     *
     * @param known of these definitions only
     */
    Optional<Due> lockDue(Collection<SagaDefinitions.DefinitionKey> known);

    /** Whether a saga of these definitions is due. */
    boolean hasDue(Collection<SagaDefinitions.DefinitionKey> known);

    /**
     * How long ago the last of these messages has left; empty while one of them hasn't. Messages that were forgotten have
     * left long ago.
     *
     * @param messageIds at least one
     */
    Optional<Duration> lastSent(Collection<String> messageIds);

    /** Whether something was answered that had been asked by way of this queue within so long, and once only. */
    boolean answeredSince(String queue, Duration asked);

    /**
     * Adds a saga that has just started, with its first event.
     *
     * @return false if there is one of this id, and nothing was added
     */
    boolean add(SagaDefinition definition, Decision started);

    /**
     * Writes a decision over what it was made of, and appends it to the history. Failures of the saga's timer are
     * forgotten.
     *
     * @throws IllegalStateException if the saga has another version now
     */
    void write(Saga before, Decision decision);

    /** Counts a failure of a saga's timer and puts its next try off, if it is still due in this version. */
    void pushBack(Saga saga, Duration delay, int failures);

    /** How often the saga's timer has failed in a row. */
    int wakeFailures(UUID sagaId);

    /** Keeps an answer to a saga that isn't here. */
    void addOrphan(String messageId, UUID sagaId, String body);

    /** The checksum of that version as it was published: by this call if by none before. */
    Fingerprint publish(SagaDefinition definition);

    /**
     * What is known of one saga.
     *
     * @param wakeAt when it is woken, if it is
     */
    record Dossier(Saga saga, Instant startedAt, @Nullable Instant wakeAt, List<Happened> history) {

        public Dossier {
            history = List.copyOf(history);
        }
    }

    /** One transition, as it stands in the history. */
    record Happened(long version, Instant at, Disposition disposition, String state, String note) {}

    /** The saga with its history, for reading only. */
    Optional<Dossier> find(UUID sagaId);

    /**
     * A saga that doesn't get on.
     *
     * @param who has it: PARKED, OUR RELAY, OUR TIMER, PARTICIPANT and a step, or OPERATOR
     * @param what is missing
     */
    record Stuck(
            UUID sagaId,
            String sagaType,
            String businessKey,
            String state,
            @Nullable Attention attention,
            String who,
            String what,
            Instant since) {}

    /** The sagas that don't get on, the longest stuck first. */
    List<Stuck> stuck(int most);

    /** Counts the sagas. */
    SagaCensus census(Collection<SagaDefinitions.DefinitionKey> known);
}
