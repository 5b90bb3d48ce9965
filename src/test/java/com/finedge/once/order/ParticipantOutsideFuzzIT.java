package com.finedge.once.order;

import static com.finedge.once.saga.Direction.DO;
import static com.finedge.once.saga.Direction.UNDO;
import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.dev.CoreBankingSimulator;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.order.ProviderDesk.Failed;
import com.finedge.once.order.ProviderDesk.InTheAir;
import com.finedge.once.order.ProviderDesk.Killed;
import com.finedge.once.order.ProviderDesk.Message;
import com.finedge.once.order.ProviderDesk.Seam;
import com.finedge.once.order.ProviderDesk.Seams;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.Operation;
import com.finedge.once.saga.OutsideAnswer;
import com.finedge.once.saga.OutsideEffects;
import com.finedge.once.saga.ParticipantStore;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.Started;
import com.finedge.once.saga.StepEffects;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Payments at a provider over HTTP, each delivery met between any two of its steps: its process dies there, or fails, or
 * stands still while others work and leases end. Afterwards the provider's money is what the saga has recorded.
 */
class ParticipantOutsideFuzzIT {

    private static final Duration PAST_THE_LEASE = OrderDesk.LEASE.plusSeconds(1);
    private static final int WALKS = 150;
    private static final String CHARGED = "was charged, undone and never refunded";

    /** A delivery that stands still lets others work, and these others again. */
    private static final int DEEPEST = 3;

    private static final CoreBankingSimulator SIMULATOR = CoreBankingSimulator.start(0);
    private static final HikariDataSource POOL = pool();

    private static HikariDataSource pool() {
        HikariDataSource connections = new HikariDataSource();
        connections.setDataSource(
                LocalServices.shared().postgres().fresh().migrated().dataSource());
        connections.setMaximumPoolSize(4);
        return connections;
    }

    @AfterAll
    static void stop() {
        POOL.close();
        SIMULATOR.close();
    }

    private static ProviderDesk provider() {
        return new ProviderDesk(POOL, SIMULATOR);
    }

    private static String newOrder() {
        return "P-" + UUID.randomUUID();
    }

    /** The n-th seam of a delivery. */
    private static final class Nth implements Seams {

        private final int nth;
        private final Runnable what;
        private int passed;

        private Nth(int nth, Runnable what) {
            this.nth = nth;
            this.what = what;
        }

        @Override
        public void at(Seam seam) {
            if (passed++ == nth) {
                what.run();
            }
        }

        boolean wasReached() {
            return passed > nth;
        }
    }

    private static void killed() {
        throw new Killed();
    }

    private static void failed() {
        throw new Failed();
    }

    private static void deliver(ProviderDesk provider, Message message, Seams seams) {
        try {
            provider.deliver(message, seams);
        } catch (Killed | Failed | InTheAir e) {
            // It comes again.
        }
    }

    /** Brings all of them to their end, and looks. */
    private static List<String> drained(ProviderDesk provider, String order, Set<Message> messages) {
        for (int receives = 0; receives < 10 && !messages.stream().allMatch(provider::isHandled); receives++) {
            messages.forEach(message -> deliver(provider, message, seam -> {}));
            provider.advance(PAST_THE_LEASE);
        }
        provider.arrive();
        List<String> violations = new ArrayList<>(provider.violations(order, messages));
        // A delivery after the last one changes nothing, and must not be what mends it.
        messages.forEach(provider::handle);
        violations.addAll(provider.violations(order, messages));
        return violations;
    }

    @ParameterizedTest(name = "the process is gone: {0}")
    @ValueSource(booleans = {true, false})
    void aPaymentThatEndsBetweenAnyTwoStepsIsTakenOnce(boolean gone) {
        ProviderDesk provider = provider();
        int nth = 0;
        for (boolean reached = true; reached; nth++) {
            String order = newOrder();
            Message message = new Message(order, DO, 1);
            Nth end = new Nth(nth, gone ? ParticipantOutsideFuzzIT::killed : ParticipantOutsideFuzzIT::failed);
            deliver(provider, message, end);
            reached = end.wasReached();

            assertThat(drained(provider, order, Set.of(message)))
                    .as("at seam " + nth)
                    .isEmpty();
            assertThat(provider.atProvider(order)).hasSize(1);
        }
        assertThat(nth).isGreaterThan(4);
    }

    /** A payment that ends anywhere, then an undo that ends anywhere, in either order of what comes again. */
    @ParameterizedTest(name = "the processes are gone: {0}")
    @ValueSource(booleans = {true, false})
    void anUndoThatEndsBetweenAnyTwoStepsGivesBackWhatWasTaken(boolean gone) {
        ProviderDesk provider = provider();
        int cases = 0;
        boolean reachedPayment = true;
        for (int ofPayment = 0; reachedPayment; ofPayment++) {
            boolean reachedUndo = true;
            for (int ofUndo = 0; reachedUndo; ofUndo++) {
                String order = newOrder();
                Message payment = new Message(order, DO, 1);
                Message undo = new Message(order, UNDO, 1);
                Nth endOfPayment =
                        new Nth(ofPayment, gone ? ParticipantOutsideFuzzIT::killed : ParticipantOutsideFuzzIT::failed);
                Nth endOfUndo =
                        new Nth(ofUndo, gone ? ParticipantOutsideFuzzIT::killed : ParticipantOutsideFuzzIT::failed);
                deliver(provider, payment, endOfPayment);
                provider.advance(PAST_THE_LEASE);
                deliver(provider, undo, endOfUndo);
                reachedPayment = endOfPayment.wasReached();
                reachedUndo = endOfUndo.wasReached();

                Set<Message> again =
                        new LinkedHashSet<>(cases % 2 == 0 ? List.of(payment, undo) : List.of(undo, payment));
                assertThat(drained(provider, order, again))
                        .as("at seams %s and %s", ofPayment, ofUndo)
                        .isEmpty();
                cases++;
            }
        }
        assertThat(cases).isGreaterThan(20);
    }

    /** The payment stands still anywhere for longer than its lease, and dies at any place after. */
    @Test
    void aPaymentThatStandsStillWhileItIsUndoneStaysWithNobody() {
        ProviderDesk provider = provider();
        int cases = 0;
        boolean reached = true;
        for (int still = 0; reached; still++) {
            boolean dies = true;
            for (int death = still + 1; dies; death++) {
                String order = newOrder();
                Message payment = new Message(order, DO, 1);
                Message undo = new Message(order, UNDO, 1);
                Message resent = new Message(order, DO, 2);
                Nth end = new Nth(death, ParticipantOutsideFuzzIT::killed);
                int[] passed = {0};
                int stillAt = still;
                deliver(provider, payment, seam -> {
                    // Within a transaction nobody else could get on.
                    if (passed[0]++ == stillAt && seam != Seam.RECORDED) {
                        provider.advance(PAST_THE_LEASE);
                        provider.handle(undo);
                        provider.handle(resent);
                    }
                    end.at(seam);
                });
                reached = passed[0] > still;
                dies = end.wasReached();

                assertThat(drained(provider, order, new LinkedHashSet<>(List.of(undo, resent, payment))))
                        .as("still at %s, dead at %s", still, death)
                        .isEmpty();
                cases++;
            }
        }
        assertThat(cases).isGreaterThan(10);
    }

    /** A payment, resends, mostly an undo, and whatever may happen to them, by chance. */
    private static final class Walk {

        private final ProviderDesk provider;
        private final Random random;
        private final List<Message> messages = new ArrayList<>();
        private final Set<Message> inHand = new LinkedHashSet<>();
        private final String order = newOrder();
        private final int calm;

        private Walk(ProviderDesk provider, Random random) {
            this.provider = provider;
            this.random = random;
            this.calm = 4 + random.nextInt(12);
            for (int attempt = 1; attempt <= 1 + random.nextInt(2); attempt++) {
                messages.add(new Message(order, DO, attempt));
            }
            int undos = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(2);
            for (int attempt = 1; attempt <= undos; attempt++) {
                messages.add(new Message(order, UNDO, attempt));
            }
        }

        List<String> violations() {
            for (int step = 0; step < 12; step++) {
                something(0);
            }
            return drained(provider, order, new LinkedHashSet<>(messages));
        }

        private void something(int depth) {
            switch (random.nextInt(5)) {
                case 0 -> provider.advance(PAST_THE_LEASE);
                case 1 -> provider.advance(Duration.ofSeconds(random.nextInt(20)));
                default -> {
                    Message message = messages.get(random.nextInt(messages.size()));
                    // A message is hidden while its process holds it.
                    if (inHand.add(message)) {
                        deliver(provider, message, seam -> meet(seam, depth));
                        inHand.remove(message);
                    }
                }
            }
        }

        private void meet(Seam seam, int depth) {
            switch (random.nextInt(calm)) {
                case 0 -> throw new Killed();
                case 1 -> throw new Failed();
                case 2 -> {
                    if (seam == Seam.BEFORE_CALL) {
                        throw new InTheAir();
                    }
                }
                case 3 -> {
                    if (seam != Seam.RECORDED && depth < DEEPEST) {
                        for (int others = 1 + random.nextInt(4); others > 0; others--) {
                            something(depth + 1);
                        }
                    }
                }
                default -> {}
            }
        }
    }

    private static List<String> violationsOfWalks(ProviderDesk provider, long seed) {
        List<String> violations = new ArrayList<>();
        Random random = new Random(seed);
        for (int walk = 0; walk < WALKS; walk++) {
            try {
                violations.addAll(new Walk(provider, random).violations());
            } catch (IllegalStateException e) {
                violations.add("a walk can't go on: " + e.getMessage());
            }
        }
        return violations;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whateverHappensTheProvidersMoneyIsWhatIsRecorded(long seed) {
        assertThat(violationsOfWalks(provider(), seed)).isEmpty();
    }

    /** What the walks find out about a mutant. */
    private static void isFoundOut(
            Supplier<UnaryOperator<ParticipantStore>> store, UnaryOperator<OutsideEffects> effects, String as) {
        List<String> violations;
        try {
            violations = violationsOfWalks(new ProviderDesk(POOL, SIMULATOR, store, effects), 1);
        } catch (IllegalStateException e) {
            violations = List.of(String.valueOf(e.getMessage()));
        }
        assertThat(violations).anySatisfy(violation -> assertThat(violation).contains(as));
    }

    /** A mutant: an undo that takes it for certain that the provider knows nothing. */
    private record NeverAsking(OutsideEffects effects) implements OutsideEffects {

        @Override
        public OutsideAnswer call(String key, boolean again) {
            return effects.call(key, again);
        }

        @Override
        public OutsideAnswer ask(String key) {
            return new OutsideAnswer.Nothing();
        }

        @Override
        public OutsideAnswer callBack(String key, String calledKey, OutsideAnswer.Done done) {
            return effects.callBack(key, calledKey, done);
        }

        @Override
        public SagaData commanded() {
            return effects.commanded();
        }

        @Override
        public ActionResult actLate(OutsideAnswer.Done answer, SagaData commanded) {
            return effects.actLate(answer, commanded);
        }

        @Override
        public StepEffects within(@Nullable OutsideAnswer answer) {
            return effects.within(answer);
        }
    }

    @Test
    void anUndoThatDoesNotAskLeavesCustomersCharged() {
        isFoundOut(() -> store -> store, NeverAsking::new, CHARGED);
    }

    /** A mutant: to each worker its own owner is always the owner. */
    private record Unfenced(ParticipantStore store, AtomicReference<UUID> own) implements ForwardingParticipantStore {

        @Override
        public void start(UUID sagaId, String step, SagaData commanded, UUID owner, Instant until) {
            own.set(owner);
            store.start(sagaId, step, commanded, owner, until);
        }

        @Override
        public void takeOver(UUID sagaId, String step, UUID owner, Instant until) {
            own.set(owner);
            store.takeOver(sagaId, step, owner, until);
        }

        @Override
        public Operation lock(UUID sagaId, String step) {
            Operation recorded = store.lock(sagaId, step);
            Started started = recorded.started();
            return started == null || own.get() == null
                    ? recorded
                    : new Operation(
                            recorded.forward(),
                            recorded.undo(),
                            new Started(
                                    started.commanded(),
                                    started.openUntil(),
                                    started.undoWanted(),
                                    own.get(),
                                    started.leaseUntil()));
        }
    }

    @Test
    void withoutTheFenceALatePaymentMeetsTheTombstone() {
        isFoundOut(
                () -> store -> new Unfenced(store, new AtomicReference<>()),
                effects -> effects,
                "the answer isn't that of outside");
    }

    /** A mutant: what was given up is taken for never sent. */
    private record Impatient(ParticipantStore store) implements ForwardingParticipantStore {

        @Override
        public Operation lock(UUID sagaId, String step) {
            Operation recorded = store.lock(sagaId, step);
            Started started = recorded.started();
            return started == null
                    ? recorded
                    : new Operation(
                            recorded.forward(),
                            recorded.undo(),
                            new Started(
                                    started.commanded(),
                                    Instant.EPOCH,
                                    started.undoWanted(),
                                    started.owner(),
                                    started.leaseUntil()));
        }
    }

    /** A payment is given up and arrives later; its undo and its next delivery come as soon as they may. */
    private static List<String> violationsOfALateArrival(UnaryOperator<ParticipantStore> store) {
        ProviderDesk provider = new ProviderDesk(POOL, SIMULATOR, () -> store, effects -> effects);
        String order = newOrder();
        Message payment = new Message(order, DO, 1);
        Message undo = new Message(order, UNDO, 1);
        deliver(provider, payment, seam -> {
            if (seam == Seam.BEFORE_CALL) {
                throw new InTheAir();
            }
        });
        provider.handle(undo);
        provider.handle(payment);
        provider.arrive();
        return provider.violations(order, Set.of(payment, undo));
    }

    @Test
    void anUndoThatDoesNotWaitForWhatIsUnderWayLeavesCustomersCharged() {
        assertThat(violationsOfALateArrival(store -> store)).isEmpty();
        assertThat(violationsOfALateArrival(Impatient::new))
                .anySatisfy(violation -> assertThat(violation).contains(CHARGED));
    }
}
