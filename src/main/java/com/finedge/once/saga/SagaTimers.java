package com.finedge.once.saga;

import com.finedge.once.retry.BackOff;
import com.finedge.once.saga.SagaEvent.Woken;
import com.finedge.once.saga.SagaResult.Decided;
import com.finedge.once.saga.SagaStore.Due;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the sagas whose time has come, one in a transaction; any number of processes do so side by side.
 *
 * <p>Silence counts against one step only where the others are answered. While messages wait in the queue of its
 * participant, or in that of the answers, and nothing is answered that was asked half a timeout later, the participant is
 * behind: nobody is given up for it, and it is said once. Queues are looked into beforehand and not in the transaction.
 */
public final class SagaTimers {

    private static final Logger log = LoggerFactory.getLogger(SagaTimers.class);

    /** After so many the queues are looked into again. */
    private static final int AT_ONCE = 100;

    private final Sagas sagas;
    private final SagaDefinitions definitions;
    private final SagaStore store;
    private final QueueDepths queues;
    private final BackOff backOff;
    private final RandomGenerator random;
    private final SagaListener listener;

    /** The queues of participants that are behind. */
    private final Set<String> behind = ConcurrentHashMap.newKeySet();

    /** @param backOff how long a saga whose timer fails is left alone */
    public SagaTimers(
            Sagas sagas,
            SagaDefinitions definitions,
            SagaStore store,
            QueueDepths queues,
            BackOff backOff,
            RandomGenerator random,
            SagaListener listener) {
        this.sagas = sagas;
        this.definitions = definitions;
        this.store = store;
        this.queues = queues;
        this.backOff = backOff;
        this.random = random;
        this.listener = listener;
    }

    /** Wakes all sagas that are due. */
    public void wake() {
        if (!behind.isEmpty()) {
            Set<String> filled = filled();
            behind.stream().filter(queue -> !filled.contains(queue)).forEach(queue -> report(queue, false));
        }
        boolean more = true;
        while (more && store.hasDue(definitions.keys())) {
            Set<String> filled = filled();
            for (int i = 0; i < AT_ONCE && more; i++) {
                more = wakeOne(filled);
            }
        }
    }

    private Set<String> filled() {
        return queues.filled(definitions.all().stream()
                .flatMap(definition -> Stream.concat(
                        Stream.of(definition.replyTo()),
                        definition.steps().stream().map(step -> step.action().queue())))
                .collect(Collectors.toSet()));
    }

    /** A saga that was found due, what its timer has done, and the queue whose participant it waits for. */
    private record Outcome(Due due, Decided decided, Optional<String> waitsFor) {}

    private boolean wakeOne(Set<String> filled) {
        AtomicReference<Due> found = new AtomicReference<>();
        try {
            Optional<Outcome> outcome =
                    store.inTransaction(() -> store.lockDue(definitions.keys()).map(due -> {
                        found.set(due);
                        return wake(due, filled);
                    }));
            outcome.ifPresent(this::tell);
            return outcome.isPresent();
        } catch (RuntimeException e) {
            Due due = found.get();
            if (due == null) {
                throw e;
            }
            pushBack(due.saga(), e);
            return true;
        }
    }

    private Outcome wake(Due due, Set<String> filled) {
        Saga saga = due.saga();
        SagaDefinition definition = definitions.of(saga);
        Optional<Duration> lastSent = store.lastSent(awaited(saga));
        Optional<StepDefinition> step = Optional.ofNullable(saga.currentStep())
                .filter(current -> saga.phase() == Phase.FORWARD)
                .map(definition::step);
        boolean backlog =
                step.isPresent() && lastSent.isPresent() && isBehind(definition, step.get(), lastSent.get(), filled);
        Decided decided = sagas.decide(saga, new Woken(lastSent, backlog));
        return new Outcome(due, decided, step.map(waiting -> waiting.action().queue()));
    }

    /** The messages whose answers it waits for, each in its last attempt. */
    private static List<String> awaited(Saga saga) {
        return saga.steps().stream()
                .flatMap(step -> Stream.concat(
                        step.forward() == ForwardStatus.PENDING
                                ? Stream.of(SagaIds.message(step.forwardCommandId(), step.forwardAttempts()))
                                : Stream.empty(),
                        step.undo() == UndoStatus.PENDING
                                ? Stream.of(SagaIds.message(step.undoCommandId(), step.undoAttempts()))
                                : Stream.empty()))
                .toList();
    }

    private boolean isBehind(SagaDefinition definition, StepDefinition step, Duration lastSent, Set<String> filled) {
        if (!filled.contains(step.action().queue()) && !filled.contains(definition.replyTo())) {
            return false;
        }
        Duration later = lastSent.minus(step.timeout().after().dividedBy(2));
        return !later.isPositive() || !store.answeredSince(step.action().queue(), later);
    }

    private void tell(Outcome outcome) {
        listener.woken(outcome.due().late());
        listener.decided(outcome.decided().sagaType(), outcome.decided().disposition());
        outcome.waitsFor().ifPresent(queue -> {
            switch (outcome.decided().disposition()) {
                case HELD -> report(queue, true);
                case RESENT, TIMED_OUT -> report(queue, false);
                default -> {}
            }
        });
    }

    private void report(String queue, boolean isBehind) {
        if (isBehind ? behind.add(queue) : behind.remove(queue)) {
            if (isBehind) {
                log.warn("{} is behind: until it isn't, no saga gives its participant up", queue);
            } else {
                log.info("{} is no longer behind", queue);
            }
            listener.behind(queue, isBehind);
        }
    }

    /** In a transaction of its own: the one that failed has taken everything back. */
    private void pushBack(Saga saga, RuntimeException failure) {
        store.inTransaction(() -> {
            int failures = store.wakeFailures(saga.id()) + 1;
            Duration delay = backOff.after(failures, random);
            log.warn("{}: its timer has failed {} times, again in {}: {}", saga, failures, delay, failure.toString());
            log.debug("the failure in full", failure);
            store.pushBack(saga, delay, failures);
            return failures;
        });
        listener.wakeFailed();
    }
}
