package com.finedge.once.saga;

import static com.finedge.once.saga.Direction.DO;
import static com.finedge.once.saga.ReplyOutcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** What the lock and the version of a saga are for: an answer and a wish to cancel meet, with them and without. */
class WithoutLockIT {

    private static final int ROUNDS = 50;

    private final SagaDefinitions definitions = new SagaDefinitions(List.of(Orders.DEFINITION));
    private final CyclicBarrier meeting = new CyclicBarrier(2);

    private void meet() {
        try {
            meeting.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Those who want the same saga want it at the same time. */
    private record Locked(SagaStore store, Runnable meet) implements ForwardingSagaStore {

        @Override
        public Optional<Saga> lock(UUID sagaId) {
            meet.run();
            return store.lock(sagaId);
        }
    }

    /** The orders that went on from a payment and gave it back as well: the stock that follows was never released. */
    private List<String> goneBothWays(BiFunction<SagaStore, Runnable, SagaStore> between) throws Exception {
        SagaBed bed = SagaBed.fresh();
        SagaBed one = bed.another(definitions, store -> between.apply(store, this::meet));
        SagaBed other = bed.another(definitions, store -> between.apply(store, this::meet));
        List<String> both = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < ROUNDS; round++) {
                String order = "O-" + round;
                bed.start(order);
                List<Callable<SagaResult>> meeting = List.of(
                        () -> one.reply(order, "payment", DO, SUCCEEDED),
                        () -> other.sagas.cancel("cancel:" + order, Orders.DEFINITION, SagaBed.placed(order)));
                for (Future<SagaResult> result : threads.invokeAll(meeting)) {
                    result.get();
                }
                List<String> sent = bed.sent(order);
                if (sent.contains("ReserveStock.v1") && sent.contains("RefundPayment.v1")) {
                    both.add(order);
                }
            }
        }
        return both;
    }

    @Test
    void aSagaGoesOnOrBack() throws Exception {
        assertThat(goneBothWays(Locked::new)).isEmpty();
    }

    @Test
    void withoutLockAndVersionItGoesBothWays() throws Exception {
        assertThat(goneBothWays(UnlockedSagaStore::new)).isNotEmpty();
    }
}
