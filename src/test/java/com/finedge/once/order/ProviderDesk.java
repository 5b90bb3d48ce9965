package com.finedge.once.order;

import static com.finedge.once.saga.Direction.DO;
import static com.finedge.once.saga.Direction.UNDO;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.finedge.once.adapter.payment.HttpPaymentProvider;
import com.finedge.once.dev.CoreBankingSimulator;
import com.finedge.once.dev.Payment;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.CommandResult;
import com.finedge.once.saga.Direction;
import com.finedge.once.saga.OutsideAnswer;
import com.finedge.once.saga.OutsideEffects;
import com.finedge.once.saga.ParticipantStore;
import com.finedge.once.saga.Participation;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.StepEffects;
import com.finedge.once.saga.UndoResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/**
 * The payment's participant on a database, with a provider over HTTP. Between any two steps of a delivery a test can do what
 * it likes: end the process, let it fail, or let others work while this one stands still.
 */
final class ProviderDesk {

    /** Where a delivery can be met. */
    enum Seam {
        LOOKED,
        BEFORE_CALL,
        AFTER_CALL,
        BEFORE_ASK,
        AFTER_ASK,
        BEFORE_CALL_BACK,
        AFTER_CALL_BACK,
        /** Within the last transaction: here only its end is possible. */
        RECORDED,
        COMMITTED
    }

    /** What happens at the seams of one delivery. */
    @FunctionalInterface
    interface Seams {
        void at(Seam seam);
    }

    private record UnderWay(Instant due, Runnable call) {}

    /** A command on its queue. */
    record Message(String orderId, Direction direction, int attempt) {}

    /** The process is gone: nothing of it runs any more, not even what gives up the lease. */
    @SuppressWarnings("serial")
    static final class Killed extends RuntimeException {}

    /** Something fails, and the process goes on. */
    @SuppressWarnings("serial")
    static final class Failed extends RuntimeException {}

    /** The provider doesn't answer in time, and takes the money a little later. */
    @SuppressWarnings("serial")
    static final class InTheAir extends RuntimeException {}

    final OrderDesk desk;
    private final CoreBankingSimulator simulator;
    private final PaymentProvider provider;
    private final Supplier<UnaryOperator<ParticipantStore>> mutation;
    private final UnaryOperator<OutsideEffects> mutated;
    private final Deque<UnderWay> underWay = new ArrayDeque<>();
    private final Set<Message> handled = new HashSet<>();

    ProviderDesk(DataSource dataSource, CoreBankingSimulator simulator) {
        this(dataSource, simulator, () -> store -> store, effects -> effects);
    }

    /**
     * @param mutation makes the store of one delivery
     * @param mutated makes the effects of one delivery
     */
    ProviderDesk(
            DataSource dataSource,
            CoreBankingSimulator simulator,
            Supplier<UnaryOperator<ParticipantStore>> mutation,
            UnaryOperator<OutsideEffects> mutated) {
        this.desk = new OrderDesk(dataSource, store -> store);
        this.simulator = simulator;
        this.provider = new HttpPaymentProvider(
                RestClient.builder()
                        .baseUrl(simulator.endpoint().toString())
                        .requestFactory(new JdkClientHttpRequestFactory())
                        .build(),
                new ObjectMapper());
        this.mutation = mutation;
        this.mutated = mutated;
    }

    /** Lets time go by. What is under way at the provider arrives at the last moment before its lease ends. */
    void advance(Duration by) {
        Instant then = desk.clock.instant().plus(by);
        arriveBy(then);
        desk.clock.advance(by);
    }

    /** Lets what is under way at the provider arrive. */
    void arrive() {
        arriveBy(Instant.MAX);
    }

    private void arriveBy(Instant time) {
        while (!underWay.isEmpty() && !underWay.getFirst().due.isAfter(time)) {
            underWay.pop().call.run();
        }
    }

    CommandResult deliver(Message message) {
        return deliver(message, seam -> {});
    }

    /** Delivers it once; what has ended is deleted from its queue. */
    CommandResult deliver(Message message, Seams seams) {
        AtomicBoolean killed = new AtomicBoolean();
        Seams watched = seam -> {
            if (killed.get()) {
                throw new Killed();
            }
            try {
                seams.at(seam);
            } catch (Killed e) {
                killed.set(true);
                throw e;
            }
        };
        CommandResult result = desk.handle(
                message.orderId,
                message.direction,
                message.attempt,
                provider,
                store -> new Watched(mutation.get().apply(store), watched, killed),
                effects -> new Around(mutated.apply(effects), watched));
        watched.at(Seam.COMMITTED);
        if (result instanceof CommandResult.Handled) {
            handled.add(message);
        }
        return result;
    }

    boolean isHandled(Message message) {
        return handled.contains(message);
    }

    /** Delivers it again and again, as long as it isn't handled and time has to go by. */
    Participation handle(Message message) {
        for (int receives = 0; receives < 30; receives++) {
            switch (deliver(message)) {
                case CommandResult.Handled(Participation participation) -> {
                    return participation;
                }
                case CommandResult.InProgress(Instant until) ->
                    advance(Duration.between(desk.clock.instant(), until).plusSeconds(1));
            }
        }
        throw new IllegalStateException(message + " isn't handled after 30 receives");
    }

    /** The process that is gone gives up nothing. */
    private record Watched(ParticipantStore store, Seams seams, AtomicBoolean killed)
            implements ForwardingParticipantStore {

        @Override
        public <T> T transact(Supplier<T> work) {
            T result = store.transact(work);
            seams.at(Seam.LOOKED);
            return result;
        }

        @Override
        public void release(UUID sagaId, String step, UUID owner) {
            if (!killed.get()) {
                store.release(sagaId, step, owner);
            }
        }
    }

    private final class Around implements OutsideEffects {

        private final OutsideEffects effects;
        private final Seams seams;

        private Around(OutsideEffects effects, Seams seams) {
            this.effects = effects;
            this.seams = seams;
        }

        @Override
        public OutsideAnswer call(String key, boolean again) {
            try {
                seams.at(Seam.BEFORE_CALL);
            } catch (InTheAir e) {
                underWay.add(new UnderWay(desk.clock.instant().plus(OrderDesk.LEASE), () -> effects.call(key, again)));
                throw e;
            }
            OutsideAnswer answer = effects.call(key, again);
            seams.at(Seam.AFTER_CALL);
            return answer;
        }

        @Override
        public OutsideAnswer ask(String key) {
            seams.at(Seam.BEFORE_ASK);
            OutsideAnswer answer = effects.ask(key);
            seams.at(Seam.AFTER_ASK);
            return answer;
        }

        @Override
        public OutsideAnswer callBack(String key, String calledKey, OutsideAnswer.Done done) {
            seams.at(Seam.BEFORE_CALL_BACK);
            OutsideAnswer answer = effects.callBack(key, calledKey, done);
            seams.at(Seam.AFTER_CALL_BACK);
            return answer;
        }

        @Override
        public SagaData commanded() {
            return effects.commanded();
        }

        @Override
        public ActionResult actLate(OutsideAnswer.Done answer, SagaData commanded) {
            ActionResult result = effects.actLate(answer, commanded);
            seams.at(Seam.RECORDED);
            return result;
        }

        @Override
        public StepEffects within(@Nullable OutsideAnswer answer) {
            StepEffects inside = effects.within(answer);
            return new StepEffects() {
                @Override
                public ActionResult act() {
                    ActionResult result = inside.act();
                    seams.at(Seam.RECORDED);
                    return result;
                }

                @Override
                public UndoResult undo(SagaData done) {
                    UndoResult result = inside.undo(done);
                    seams.at(Seam.RECORDED);
                    return result;
                }

                @Override
                public String notNeeded() {
                    seams.at(Seam.RECORDED);
                    return inside.notNeeded();
                }
            };
        }
    }

    /** What the provider has done for an order. */
    List<Payment> atProvider(String orderId) {
        return simulator.payments(orderId);
    }

    /** What isn't as it must be for an order all of whose messages have come to an end. */
    List<String> violations(String orderId, Set<Message> messages) {
        boolean undone = messages.stream().anyMatch(message -> message.direction == UNDO);
        boolean commanded = messages.stream().anyMatch(message -> message.direction == DO);
        List<Payment> atProvider = atProvider(orderId);
        boolean charged = !atProvider.isEmpty();
        boolean refunded = charged && atProvider.getFirst().refund() != null;
        int payments = desk.count("payment", orderId);
        int refunds = desk.count("refund", orderId);
        List<String> facts = desk.facts(orderId);
        List<String> violations = new ArrayList<>();
        require(violations, atProvider.size() <= 1, orderId + " was charged twice");
        require(violations, !undone || refunded == charged, orderId + " was charged, undone and never refunded");
        require(violations, undone || !refunded, orderId + " was refunded without an undo");
        require(violations, undone || !commanded || charged, orderId + " was to be charged and was not");
        require(violations, payments == 0 || charged, orderId + ": a payment is recorded that never was");
        require(violations, undone || (payments == 1) == charged, orderId + ": a payment isn't recorded");
        require(violations, refunds == (undone ? payments : 0), orderId + ": a refund isn't recorded as it was");
        require(
                violations,
                facts.contains("PaymentTaken.v1") == (payments == 1)
                        && facts.contains("PaymentRefunded.v1") == (refunds == 1),
                orderId + ": facts aren't told as they are");
        require(violations, Set.copyOf(facts).size() == facts.size(), orderId + ": a fact was told twice");
        require(
                violations,
                desk.replies(orderId).size() == messages.size(),
                orderId + " was not answered once a message");
        return violations;
    }

    private static void require(List<String> violations, boolean kept, String otherwise) {
        if (!kept) {
            violations.add(otherwise);
        }
    }
}
