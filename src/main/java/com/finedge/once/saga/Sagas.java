package com.finedge.once.saga;

import com.finedge.once.inbox.Inbox;
import com.finedge.once.inbox.InboxResult;
import com.finedge.once.outbox.Outbox;
import com.finedge.once.outbox.OutboxMessage;
import com.finedge.once.saga.Expressions.Scope;
import com.finedge.once.saga.SagaEvent.CancelRequested;
import com.finedge.once.saga.SagaEvent.Operated;
import com.finedge.once.saga.SagaEvent.Reply;
import com.finedge.once.saga.SagaEvent.ReplyUnreadable;
import com.finedge.once.saga.SagaEvent.StartRepeated;
import com.finedge.once.saga.SagaResult.Decided;
import com.finedge.once.saga.SagaResult.Impossible;
import com.finedge.once.saga.SagaResult.Orphan;
import com.finedge.once.saga.SagaResult.Repeated;
import com.finedge.once.saga.SagaStore.Dossier;
import com.finedge.once.saga.SagaStore.Stuck;
import com.finedge.once.saga.StartDecision.Started;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sagas, moved by messages and by operators. Each transition is one transaction:
 *
 * <ol>
 *   <li>The message's id goes into the inbox; where it is already, the message has been dealt with.
 *   <li>The saga's row is locked, and only then its steps are read.
 *   <li>{@link Transitions} decide.
 *   <li>What they have decided is written over the version that was read, and appended to the history.
 *   <li>What is to be sent goes into the outbox.
 * </ol>
 *
 * <p>Locks are always taken in this order, and nothing but the database is spoken to in between.
 */
public final class Sagas {

    private static final Logger log = LoggerFactory.getLogger(Sagas.class);

    /** The inbox's name for all of them. */
    private static final String CONSUMER = "saga";

    private final SagaDefinitions definitions;
    private final Expressions expressions;
    private final Transitions transitions;
    private final SagaStore store;
    private final Inbox inbox;
    private final Outbox outbox;
    private final SagaMessages messages;
    private final SagaListener listener;

    /** @param inbox joins the store's transactions, as does the outbox */
    public Sagas(
            SagaDefinitions definitions,
            Expressions expressions,
            Transitions transitions,
            SagaStore store,
            Inbox inbox,
            Outbox outbox,
            SagaMessages messages,
            SagaListener listener) {
        this.definitions = definitions;
        this.expressions = expressions;
        this.transitions = transitions;
        this.store = store;
        this.inbox = inbox;
        this.outbox = outbox;
        this.messages = messages;
        this.listener = listener;
    }

    /**
     * Starts a saga of the newest definition, unless there is one of this business key.
     *
     * @param messageId names the message however often it is sent
     * @param data of the message
     */
    public SagaResult start(String messageId, SagaDefinition definition, SagaData data, @Nullable String traceparent) {
        return switch (transitions.start(definition, data, traceparent)) {
            case StartDecision.Impossible(String reason) -> new Impossible(reason);
            case Started(Decision decision) ->
                receive(messageId, () -> {
                    if (store.add(definition, decision)) {
                        send(definition, decision);
                        return decided(decision);
                    }
                    UUID id = decision.saga().id();
                    return store.lock(id)
                            .map(saga -> decide(saga, new StartRepeated()))
                            .orElseThrow(() -> new IllegalStateException("saga " + id + " is and isn't there"));
                });
        };
    }

    /**
     * Applies the answer of a participant.
     *
     * @param body the message as it came, kept if there is no such saga
     * @throws UnknownVersionException if the saga goes by a definition that isn't known here
     */
    public SagaResult reply(String messageId, UUID sagaId, Reply reply, String body) {
        return receive(
                messageId,
                () -> store.lock(sagaId)
                        .<SagaResult>map(saga -> decide(saga, reply))
                        .orElseGet(() -> {
                            store.addOrphan(messageId, sagaId, body);
                            return new Orphan();
                        }));
    }

    /**
     * Parks a saga one of whose answers can't be read.
     *
     * @param messageId names the message however often it is delivered
     */
    public SagaResult unreadable(String messageId, UUID sagaId) {
        return receive(
                messageId,
                () -> store.lock(sagaId)
                        .<SagaResult>map(saga -> decide(saga, new ReplyUnreadable()))
                        .orElseGet(() -> new Impossible("there is no such saga")));
    }

    /**
     * Asks a saga to turn back.
     *
     * @param data holds what the business key is made of
     * @throws NotStartedYetException if there is none yet
     * @throws UnknownVersionException if the saga goes by a definition that isn't known here
     */
    public SagaResult cancel(String messageId, SagaDefinition definition, SagaData data) {
        Scope scope = new Scope(data, SagaData.EMPTY, SagaData.EMPTY);
        if (!(expressions.evaluate(definition.start().key(), scope) instanceof String key)) {
            return new Impossible("the message has no business key");
        }
        UUID id = SagaIds.saga(definition.name(), key);
        return receive(
                messageId,
                () -> store.lock(id)
                        .map(saga -> decide(saga, new CancelRequested()))
                        .orElseThrow(NotStartedYetException::new));
    }

    /** Does what an operator says; nothing if there is no such saga. */
    public Optional<Disposition> operate(UUID sagaId, Operated operated) {
        Optional<Decided> result = store.inTransaction(() -> store.lock(sagaId).map(saga -> decide(saga, operated)));
        result.ifPresent(this::tell);
        return result.map(Decided::disposition);
    }

    /** One saga with its history. */
    public Optional<Dossier> find(UUID sagaId) {
        return store.find(sagaId);
    }

    /** The sagas that don't get on, the longest stuck first. */
    public List<Stuck> stuck(int most) {
        return store.stuck(most);
    }

    /** Counts the sagas for the listener. */
    public SagaCensus count() {
        SagaCensus census = store.census(definitions.keys());
        listener.counted(census);
        return census;
    }

    private SagaResult receive(String messageId, Supplier<SagaResult> work) {
        SagaResult result = store.inTransaction(() -> switch (inbox.receive(CONSUMER, messageId, work)) {
            case InboxResult.Applied<SagaResult>(SagaResult applied) -> applied;
            case InboxResult.Duplicate<SagaResult> duplicate -> new Repeated();
        });
        tell(result);
        return result;
    }

    private void tell(SagaResult result) {
        switch (result) {
            case Decided(String type, Disposition disposition) -> listener.decided(type, disposition);
            case Repeated repeated -> listener.repeated();
            case Orphan orphan -> {
                log.warn("An answer has come for a saga that isn't here; it is kept in saga_orphan");
                listener.orphan();
            }
            case Impossible impossible -> {}
        }
    }

    /** Within a transaction that holds the saga's lock. */
    Decided decide(Saga saga, SagaEvent event) {
        SagaDefinition definition = definitions.of(saga);
        Decision decision = transitions.decide(definition, saga, event);
        store.write(saga, decision);
        send(definition, decision);
        log.debug("{}: {}, {}", decision.saga(), decision.disposition(), decision.note());
        return decided(decision);
    }

    private static Decided decided(Decision decision) {
        return new Decided(decision.saga().type(), decision.disposition());
    }

    private void send(SagaDefinition definition, Decision decision) {
        List<OutboxMessage> all = new ArrayList<>();
        decision.commands().forEach(command -> all.add(messages.command(definition, decision.saga(), command)));
        decision.facts().forEach(fact -> all.add(messages.fact(definition, decision.saga(), fact)));
        outbox.addAll(all);
    }
}
