package com.finedge.once.saga;

import static com.finedge.once.saga.Direction.DO;
import static com.finedge.once.saga.Direction.UNDO;
import static com.finedge.once.saga.Disposition.APPLIED;
import static com.finedge.once.saga.Disposition.HELD;
import static com.finedge.once.saga.Disposition.REARMED;
import static com.finedge.once.saga.Disposition.RESENT;
import static com.finedge.once.saga.Disposition.TIMED_OUT;
import static com.finedge.once.saga.ReplyOutcome.REFUSED;
import static com.finedge.once.saga.ReplyOutcome.SUCCEEDED;
import static com.finedge.once.saga.SagaBed.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.finedge.once.saga.Expressions.Scope;
import com.finedge.once.saga.SagaEvent.Operated;
import com.finedge.once.saga.SagaEvent.Verb;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What time does to order sagas; the definition waits two minutes an attempt, for four attempts. */
class SagaTimersIT {

    private static final Duration LONG_AGO = Duration.ofHours(1);
    private static final Duration AFTER = Duration.ofMinutes(2);

    private final SagaBed bed = SagaBed.fresh();

    /** Lets so much time go by for the saga: it becomes due, and its messages have left so long ago. */
    private void later(String orderId, Duration time) {
        bed.publish(time);
        bed.due(orderId, Duration.ofSeconds(1));
        bed.timers.wake();
    }

    private Duration untilWoken(String orderId) {
        Instant wakeAt = bed.dossier(orderId).wakeAt();
        assertThat(wakeAt).isNotNull();
        return Duration.between(Instant.now(), wakeAt);
    }

    @Test
    void aSagaThatIsNotDueIsLeftAlone() {
        bed.start("O-1");
        bed.publish(LONG_AGO);

        bed.timers.wake();

        assertThat(bed.history("O-1")).containsExactly(APPLIED);
    }

    @Test
    void silenceIsAskedAgainAndThenUndone() {
        bed.start("O-1");

        for (int i = 0; i < 4; i++) {
            later("O-1", LONG_AGO);
        }

        assertThat(bed.history("O-1")).containsExactly(APPLIED, RESENT, RESENT, RESENT, TIMED_OUT);
        assertThat(bed.sent("O-1"))
                .containsExactly(
                        "TakePayment.v1", "TakePayment.v1", "TakePayment.v1", "TakePayment.v1", "RefundPayment.v1");
        assertThat(bed.saga("O-1").step("payment").forward()).isEqualTo(ForwardStatus.IN_DOUBT);
    }

    @Test
    void anAttemptsTimeBeginsWhenItsMessageLeaves() {
        bed.start("O-1");
        bed.due("O-1", Duration.ofSeconds(1));

        bed.timers.wake();
        assertThat(bed.history("O-1")).as("the message is still here").containsExactly(APPLIED, REARMED);
        assertThat(untilWoken("O-1")).isBetween(AFTER.minusSeconds(20), AFTER);

        later("O-1", Duration.ofSeconds(30));
        assertThat(bed.history("O-1")).as("it has just left").containsExactly(APPLIED, REARMED, REARMED);
        assertThat(untilWoken("O-1")).isBetween(AFTER.minusSeconds(50), AFTER.minusSeconds(29));

        later("O-1", AFTER);
        assertThat(bed.history("O-1")).endsWith(RESENT);
    }

    /** The relay has forgotten it: then it left long ago. */
    @Test
    void aMessageThatWasForgottenHasLeft() {
        bed.start("O-1");
        bed.jdbc.sql("DELETE FROM outbox").update();

        later("O-1", LONG_AGO);

        assertThat(bed.history("O-1")).containsExactly(APPLIED, RESENT);
    }

    @Test
    void nobodyIsGivenUpWhileItsParticipantIsBehind() {
        for (String order : List.of("O-1", "O-2", "O-3")) {
            bed.start(order);
        }
        bed.filled.add("payment-commands");
        for (int i = 0; i < 6; i++) {
            for (String order : List.of("O-1", "O-2", "O-3")) {
                later(order, LONG_AGO);
            }
        }

        assertThat(bed.history("O-1")).containsExactly(APPLIED, HELD, HELD, HELD, HELD, HELD, HELD);
        assertThat(bed.sent("O-1")).containsExactly("TakePayment.v1");
        assertThat(bed.saga("O-1").attention()).isNull();
        assertThat(bed.heard.alerts).as("one alert for all of them").containsExactly("payment-commands behind");

        bed.filled.clear();
        later("O-1", LONG_AGO);

        assertThat(bed.history("O-1")).endsWith(RESENT);
        assertThat(bed.heard.alerts).containsExactly("payment-commands behind", "payment-commands caught up");
    }

    @Test
    void answersThatWaitToBeReadHoldToo() {
        bed.start("O-1");
        bed.filled.add("order-saga");

        later("O-1", LONG_AGO);

        assertThat(bed.history("O-1")).containsExactly(APPLIED, HELD);
    }

    /** Others that were asked later have had their answers: this one won't get any. */
    @Test
    void aBusyQueueHoldsNobodyWhoWasPassedOver() {
        bed.start("O-1");
        bed.filled.addAll(List.of("payment-commands", "order-saga"));
        bed.start("O-2");
        bed.reply("O-2", "payment", DO, SUCCEEDED);

        later("O-1", LONG_AGO);

        assertThat(bed.history("O-1")).containsExactly(APPLIED, RESENT);
        assertThat(bed.heard.alerts).isEmpty();
    }

    /** An answer of long ago says nothing of now. */
    @Test
    void whatWasAnsweredBeforeDoesNotCount() {
        bed.start("O-2");
        bed.reply("O-2", "payment", DO, SUCCEEDED);
        bed.jdbc
                .sql("UPDATE saga_step SET fwd_asked_at = now() - interval '1 day'")
                .update();
        bed.start("O-1");
        bed.filled.add("payment-commands");

        later("O-1", LONG_AGO);

        assertThat(bed.history("O-1")).containsExactly(APPLIED, HELD);
    }

    @Test
    void anUndoIsSentAgainForEverAndNeverHeld() {
        bed.start("O-1");
        bed.reply("O-1", "payment", DO, SUCCEEDED);
        bed.reply("O-1", "stock", DO, REFUSED);
        bed.filled.add("payment-commands");

        for (int i = 0; i < 9; i++) {
            later("O-1", LONG_AGO);
        }

        assertThat(bed.saga("O-1").step("payment").undoAttempts()).isEqualTo(10);
        assertThat(bed.saga("O-1").attention()).isEqualTo(Attention.UNDO_NOT_CONFIRMED);
        assertThat(untilWoken("O-1")).isBetween(Duration.ofMinutes(7), Duration.ofMinutes(13));
        bed.reply("O-1", "payment", UNDO, SUCCEEDED);
        assertThat(bed.saga("O-1").outcome()).isEqualTo(SagaOutcome.CANCELLED);
        assertThat(bed.saga("O-1").attention()).isNull();
    }

    /** The fullest of wakes: whether its message has left, whether others were answered, and sent again. */
    @Test
    void aWakeIsNineStatementsAtMost() {
        bed.start("O-1");
        bed.start("O-2");
        bed.reply("O-2", "payment", DO, SUCCEEDED);
        bed.filled.add("payment-commands");
        bed.publish(LONG_AGO);
        bed.due("O-1", Duration.ofSeconds(1));
        bed.statements.set(0);

        bed.timers.wake();

        // Beside it one look whether any saga is due, and the transaction of two that finds no other.
        assertThat(bed.statements).hasValue(1 + 9 + 2);
        assertThat(bed.history("O-1")).endsWith(RESENT);
    }

    private static final class Failing implements Expressions {

        private final Expressions plain = new PlainExpressions();
        private final AtomicBoolean broken = new AtomicBoolean();

        @Override
        public @Nullable Object evaluate(String expression, Scope scope) {
            if (broken.get()
                    && String.valueOf(scope.data().at(List.of("orderId"))).startsWith("BROKEN")) {
                throw new IllegalStateException("a bug");
            }
            return plain.evaluate(expression, scope);
        }
    }

    /** The broken ones have been due for longer, so each of them comes before the healthy ones. */
    @Test
    void sagasWhoseTimerFailsHoldUpNoOther() {
        Failing expressions = new Failing();
        SagaBed mixed = SagaBed.fresh(expressions);
        List<String> broken =
                IntStream.range(0, 200).mapToObj(i -> "BROKEN-" + i).toList();
        List<String> healthy = IntStream.range(0, 10).mapToObj(i -> "O-" + i).toList();
        broken.forEach(mixed::start);
        healthy.forEach(mixed::start);
        mixed.publish(LONG_AGO);
        broken.forEach(order -> mixed.due(order, Duration.ofMinutes(30)));
        healthy.forEach(order -> mixed.due(order, Duration.ofMinutes(1)));
        expressions.broken.set(true);

        mixed.timers.wake();

        assertThat(healthy).allSatisfy(order -> assertThat(mixed.history(order)).containsExactly(APPLIED, RESENT));
        assertThat(broken).allSatisfy(order -> assertThat(mixed.history(order)).containsExactly(APPLIED));
        assertThat(mixed.heard.wakesFailed.get()).isGreaterThanOrEqualTo(200);
        assertThat(mixed.jdbc
                        .sql("SELECT count(*) FROM saga_instance WHERE wake_failures > 0")
                        .query(Integer.class)
                        .single())
                .isEqualTo(200);

        expressions.broken.set(false);
        broken.forEach(order -> mixed.due(order, Duration.ofSeconds(1)));
        mixed.timers.wake();

        assertThat(broken).allSatisfy(order -> assertThat(mixed.history(order)).containsExactly(APPLIED, RESENT));
        assertThat(mixed.jdbc
                        .sql("SELECT max(wake_failures) FROM saga_instance")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    @Test
    void severalProcessesWakeEachSagaOnce() throws Exception {
        SagaDefinitions definitions = new SagaDefinitions(List.of(Orders.DEFINITION));
        List<SagaBed> pods = IntStream.range(0, 4)
                .mapToObj(i -> bed.another(definitions, store -> store))
                .toList();
        List<String> orders = IntStream.range(0, 60).mapToObj(i -> "O-" + i).toList();
        orders.forEach(bed::start);
        bed.publish(LONG_AGO);
        orders.forEach(order -> bed.due(order, Duration.ofSeconds(1)));
        CyclicBarrier together = new CyclicBarrier(pods.size());

        try (ExecutorService threads = Executors.newFixedThreadPool(pods.size())) {
            List<Future<Boolean>> ends = threads.invokeAll(pods.stream()
                    .<Callable<Boolean>>map(pod -> () -> {
                        together.await(10, TimeUnit.SECONDS);
                        pod.timers.wake();
                        return true;
                    })
                    .toList());
            for (Future<Boolean> end : ends) {
                assertThat(end.get(60, TimeUnit.SECONDS)).isTrue();
            }
        }

        assertThat(orders).allSatisfy(order -> assertThat(bed.history(order)).containsExactly(APPLIED, RESENT));
        assertThat(pods)
                .filteredOn(pod -> !pod.heard.decided.isEmpty())
                .as("pods that had a share")
                .hasSizeGreaterThan(1);
    }

    // Where is the stuck order at three in the morning?

    private List<String> stuck() {
        return bed.sagas.stuck(10).stream()
                .map(one -> one.businessKey() + ": " + one.who() + ", " + one.what())
                .toList();
    }

    @Test
    void whatGetsOnIsNotStuck() {
        bed.start("O-1");
        bed.start("O-2");
        bed.publish(Duration.ZERO);
        bed.reply("O-2", "payment", DO, REFUSED);

        assertThat(stuck()).isEmpty();
    }

    @Test
    void aParkedSagaIsStuck() {
        bed.start("O-1");
        bed.sagas.operate(id("O-1"), new Operated(new Verb.Park(), "alice", "to look at it"));

        assertThat(stuck()).containsExactly("O-1: PARKED, nothing wakes it up");
    }

    @Test
    void aCommandThatDoesNotLeaveIsOurRelays() {
        bed.start("O-1");
        bed.jdbc.sql("UPDATE outbox SET added_at = now() - interval '1 min'").update();

        assertThat(stuck()).containsExactly("O-1: OUR RELAY, command not published");
    }

    @Test
    void aSagaThatNobodyWakesIsOurTimers() {
        bed.start("O-1");
        bed.publish(LONG_AGO);
        bed.due("O-1", Duration.ofMinutes(5));

        assertThat(stuck()).containsExactly("O-1: OUR TIMER, overdue");
    }

    @Test
    void aStepThatIsNotAnsweredIsItsParticipants() {
        bed.start("O-1");
        later("O-1", LONG_AGO);
        bed.publish(Duration.ZERO);

        assertThat(stuck()).containsExactly("O-1: PARTICIPANT payment, no reply, try 2");
    }

    @Test
    void anUndoThatIsNotConfirmedIsItsParticipants() {
        bed.start("O-1");
        bed.reply("O-1", "payment", DO, SUCCEEDED);
        bed.reply("O-1", "stock", DO, REFUSED);
        later("O-1", LONG_AGO);
        later("O-1", LONG_AGO);
        bed.publish(Duration.ZERO);

        assertThat(stuck()).containsExactly("O-1: PARTICIPANT payment, undo not confirmed, try 3");
    }

    @Test
    void whatOnlyAPersonCanJudgeIsTheOperatorsEvenAfterTheEnd() {
        bed.start("O-1");
        bed.reply("O-1", "payment", DO, REFUSED);
        bed.reply("O-1", "stock", DO, SUCCEEDED);

        assertThat(stuck()).containsExactly("O-1: OPERATOR, illegal reply");
    }

    @Test
    void sagasAreCountedByTheirStateAndTheirNeeds() {
        bed.start("O-1");
        bed.start("O-2");
        bed.start("O-3");
        bed.reply("O-2", "payment", DO, SUCCEEDED);
        bed.reply("O-3", "payment", DO, REFUSED);
        bed.reply("O-3", "stock", DO, SUCCEEDED);

        SagaCensus census = bed.sagas.count();

        assertThat(census.live())
                .extracting(SagaCensus.InState::state, SagaCensus.InState::count)
                .containsExactlyInAnyOrder(tuple("PAYMENT_PENDING", 1L), tuple("STOCK_PENDING", 1L));
        assertThat(census.attention()).containsExactly(Map.entry(Attention.ILLEGAL_REPLY, 1L));
        assertThat(census.unknown()).isEmpty();
    }
}
