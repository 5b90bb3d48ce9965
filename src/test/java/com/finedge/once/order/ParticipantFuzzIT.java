package com.finedge.once.order;

import static com.finedge.once.saga.Direction.DO;
import static com.finedge.once.saga.Direction.UNDO;
import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.order.OrderDesk.Told;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.Direction;
import com.finedge.once.saga.ParticipantStore;
import com.finedge.once.saga.ReplyOutcome;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.StepEffects;
import com.finedge.once.saga.UndoResult;
import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;

/**
 * Commands of 300 sagas in any order, delivered twice, resent, rolled back and redelivered, by several threads: whatever
 * they do, nobody stays charged whose undo was confirmed.
 */
class ParticipantFuzzIT {

    private static final PostgresServer SERVER = LocalServices.shared().postgres();
    private static final int SAGAS = 300;
    private static final int THREADS = 6;

    /** A delivery; what rolls back is delivered once more. */
    private record Delivery(String orderId, Direction direction, int attempt, boolean rollsBack) {}

    /** The orders whose number is so divisible are never undone, and whose is so are refused. */
    private static boolean isUndone(int order) {
        return order % 3 != 0;
    }

    private static boolean isRefused(int order) {
        return order % 7 == 0;
    }

    private static String id(int order) {
        return "O-" + order;
    }

    private static List<Delivery> deliveries(Random random) {
        List<Delivery> all = new ArrayList<>();
        for (int order = 0; order < SAGAS; order++) {
            for (Direction direction : isUndone(order) ? List.of(DO, UNDO) : List.of(DO)) {
                int attempts = 1 + random.nextInt(3);
                for (int attempt = 1; attempt <= attempts; attempt++) {
                    int times = 1 + random.nextInt(2);
                    for (int time = 0; time < times; time++) {
                        all.add(new Delivery(id(order), direction, attempt, random.nextInt(4) == 0));
                    }
                }
            }
        }
        // Each goes at most a few places ahead: the commands of a saga stay together, and several threads have them.
        for (int i = 0; i < all.size(); i++) {
            Collections.swap(all, i, Math.min(all.size() - 1, i + random.nextInt(12)));
        }
        return all;
    }

    private static StepEffects thenRollsBack(StepEffects effects) {
        return new StepEffects() {
            @Override
            public ActionResult act() {
                effects.act();
                throw new RolledBack();
            }

            @Override
            public UndoResult undo(SagaData done) {
                effects.undo(done);
                throw new RolledBack();
            }

            @Override
            public String notNeeded() {
                throw new RolledBack();
            }
        };
    }

    @SuppressWarnings("serial")
    private static final class RolledBack extends RuntimeException {}

    private static List<String> violationsAfter(long seed, UnaryOperator<ParticipantStore> mutation) throws Exception {
        PostgresServer.Database database = SERVER.fresh().migrated();
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(database.dataSource());
            pool.setMaximumPoolSize(THREADS);
            OrderDesk desk = new OrderDesk(pool, mutation);
            for (int order = 0; order < SAGAS; order++) {
                if (isRefused(order)) {
                    desk.refuse(id(order), "payment");
                }
            }
            List<Delivery> deliveries = deliveries(new Random(seed));
            List<String> violations = new ArrayList<>(deliver(desk, deliveries));
            violations.addAll(violations(desk, deliveries));
            return violations;
        }
    }

    /** What could not be handled at all and would end as a dead letter. */
    private static Collection<String> deliver(OrderDesk desk, List<Delivery> deliveries) throws Exception {
        var queue = new ConcurrentLinkedQueue<>(deliveries);
        var deadLetters = new ConcurrentLinkedQueue<String>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(() -> {
                    for (Delivery next = queue.poll(); next != null; next = queue.poll()) {
                        handle(desk, next, queue, deadLetters);
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get(120, TimeUnit.SECONDS);
            }
        }
        return deadLetters;
    }

    private static void handle(OrderDesk desk, Delivery delivery, Queue<Delivery> queue, Queue<String> deadLetters) {
        try {
            desk.handle(
                    delivery.orderId,
                    "payment",
                    delivery.direction,
                    delivery.attempt,
                    effects -> delivery.rollsBack ? thenRollsBack(effects) : effects);
        } catch (RolledBack e) {
            queue.add(new Delivery(delivery.orderId, delivery.direction, delivery.attempt, false));
        } catch (DataAccessException e) {
            deadLetters.add(delivery.orderId + " can't be handled: " + e.getMessage());
        }
    }

    private static List<String> violations(OrderDesk desk, List<Delivery> deliveries) {
        List<String> violations = new ArrayList<>();
        for (int order = 0; order < SAGAS; order++) {
            String id = id(order);
            int payments = desk.count("payment", id);
            int refunds = desk.count("refund", id);
            List<Told> replies = desk.replies(id);
            List<String> facts = desk.facts(id);
            long messages = deliveries.stream()
                    .filter(delivery -> delivery.orderId.equals(id))
                    .map(delivery -> delivery.direction + "/" + delivery.attempt)
                    .distinct()
                    .count();
            boolean undone = isUndone(order);

            require(violations, payments <= 1, id + " was charged twice");
            require(violations, refunds <= payments, id + " was given back more than was taken");
            require(violations, !undone || refunds == payments, id + " was charged, undone and never refunded");
            require(violations, undone || refunds == 0, id + " was refunded without an undo");
            require(violations, !isRefused(order) || payments == 0, id + " was refused and charged");
            require(violations, undone || isRefused(order) || payments == 1, id + " was to be charged and was not");
            require(violations, replies.size() == messages, id + " was not answered once a message");
            require(
                    violations,
                    undone || replies.stream().noneMatch(told -> told.outcome() == ReplyOutcome.TOMBSTONED),
                    id + " was tombstoned without an undo");
            require(
                    violations,
                    (payments == 1) == facts.contains("PaymentTaken.v1"),
                    id + ": PaymentTaken isn't told of what was taken");
            require(
                    violations,
                    (refunds == 1) == facts.contains("PaymentRefunded.v1"),
                    id + ": PaymentRefunded isn't told of what was given back");
            require(violations, facts.size() == facts.stream().distinct().count(), id + ": a fact was told twice");
            require(violations, !contradict(replies), id + " was answered now so, now otherwise");
        }
        return violations;
    }

    /** In the order of the commits, nothing but a tombstone follows a tombstone to a DO. */
    private static boolean contradict(List<Told> replies) {
        List<String> actions = replies.stream()
                .map(Told::type)
                .filter(type -> List.of("PaymentTaken.v1", "PaymentDeclined.v1", "StepTombstoned.v1")
                        .contains(type))
                .toList();
        int tombstone = actions.indexOf("StepTombstoned.v1");
        List<String> before = tombstone < 0 ? actions : actions.subList(0, tombstone);
        List<String> after = tombstone < 0 ? List.of() : actions.subList(tombstone, actions.size());
        return before.stream().distinct().count() > 1
                || after.stream().distinct().count() > 1;
    }

    private static void require(List<String> violations, boolean kept, String otherwise) {
        if (!kept) {
            violations.add(otherwise);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whateverTheOrderNobodyStaysChargedWhoseUndoWasConfirmed(long seed) throws Exception {
        assertThat(violationsAfter(seed, store -> store)).isEmpty();
    }

    /** The same walk finds out what is missing: it could fail. */
    @Test
    void withoutTheTombstoneACustomerIsChargedAndNeverRefunded() throws Exception {
        assertThat(violationsAfter(1, ForgetfulParticipantStore::new))
                .anySatisfy(violation -> assertThat(violation).contains("was charged, undone and never refunded"));
    }
}
