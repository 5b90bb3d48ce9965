package com.finedge.once.saga;

import static com.finedge.once.saga.Direction.DO;
import static com.finedge.once.saga.Direction.UNDO;
import static com.finedge.once.saga.Disposition.APPLIED;
import static com.finedge.once.saga.Disposition.CONTRADICTION;
import static com.finedge.once.saga.Disposition.DUPLICATE;
import static com.finedge.once.saga.Disposition.LATE_SUCCESS;
import static com.finedge.once.saga.Disposition.POISON;
import static com.finedge.once.saga.Disposition.RESENT;
import static com.finedge.once.saga.ReplyOutcome.REFUSED;
import static com.finedge.once.saga.ReplyOutcome.SUCCEEDED;
import static com.finedge.once.saga.SagaBed.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.finedge.once.saga.SagaEvent.Operated;
import com.finedge.once.saga.SagaEvent.Verb;
import com.finedge.once.saga.SagaResult.Decided;
import com.finedge.once.saga.SagaResult.Impossible;
import com.finedge.once.saga.SagaResult.Orphan;
import com.finedge.once.saga.SagaResult.Repeated;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.BadSqlGrammarException;

/** Order sagas in the database, moved by messages and operators. */
class SagasIT {

    private static final int ROUNDS = 200;

    private final SagaBed bed = SagaBed.fresh();

    private static Decided decided(Disposition disposition) {
        return new Decided(SagaBed.TYPE, disposition);
    }

    private SagaResult done(String orderId, String step) {
        return bed.reply(orderId, step, DO, SUCCEEDED);
    }

    private SagaResult undone(String orderId, String step) {
        return bed.reply(orderId, step, UNDO, SUCCEEDED);
    }

    @Test
    void anOrderGoesItsWay() {
        assertThat(bed.start("O-1")).isEqualTo(decided(APPLIED));
        for (String step : List.of("payment", "stock", "shipping", "confirm")) {
            assertThat(done("O-1", step)).as(step).isEqualTo(decided(APPLIED));
        }

        SagaStore.Dossier dossier = bed.dossier("O-1");
        assertThat(dossier.saga().outcome()).isEqualTo(SagaOutcome.COMPLETED);
        assertThat(dossier.saga().state()).isEqualTo("COMPLETED");
        assertThat(dossier.wakeAt()).isNull();
        assertThat(dossier.saga().data().values())
                .containsAllEntriesOf(
                        Map.of("orderId", "O-1", "paymentId", "P-1", "reservationId", "R-1", "shipmentId", "S-1"));
        assertThat(bed.sent("O-1"))
                .containsExactly(
                        "TakePayment.v1",
                        "ReserveStock.v1",
                        "ArrangeShipping.v1",
                        "ConfirmOrder.v1",
                        "OrderCompleted.v1");
        assertThat(dossier.history())
                .extracting(SagaStore.Happened::state)
                .containsExactly(
                        "PAYMENT_PENDING", "STOCK_PENDING", "SHIPPING_PENDING", "CONFIRM_PENDING", "COMPLETED");
    }

    @Test
    void aRefusalUndoesWhatWasDoneInReverse() {
        bed.start("O-1");
        done("O-1", "payment");
        done("O-1", "stock");
        bed.reply("O-1", "shipping", DO, REFUSED);
        assertThat(bed.saga("O-1").state()).isEqualTo("STOCK_RELEASE_PENDING");
        undone("O-1", "stock");
        assertThat(bed.saga("O-1").state()).isEqualTo("PAYMENT_REFUND_PENDING");
        undone("O-1", "payment");

        assertThat(bed.saga("O-1").outcome()).isEqualTo(SagaOutcome.CANCELLED);
        assertThat(bed.sent("O-1"))
                .containsExactly(
                        "TakePayment.v1",
                        "ReserveStock.v1",
                        "ArrangeShipping.v1",
                        "ReleaseStock.v1",
                        "RefundPayment.v1",
                        "OrderCancelled.v1");
    }

    /** With the fullest of transitions: steps change, a command and a fact go out. Beginning and commit not counted. */
    @Test
    void aTransitionIsEightStatementsAtMost() {
        bed.start("O-1");
        bed.statements.set(0);
        done("O-1", "payment");
        assertThat(bed.statements).as("a step forward").hasValue(8);

        bed.statements.set(0);
        bed.start("O-2");
        assertThat(bed.statements).as("a start").hasValue(6);

        bed.statements.set(0);
        bed.reply("O-1", "stock", DO, REFUSED);
        assertThat(bed.statements).as("a step back").hasValue(8);

        bed.statements.set(0);
        undone("O-1", "payment");
        assertThat(bed.statements).as("an end").hasValue(8);

        bed.statements.set(0);
        undone("O-1", "payment");
        assertThat(bed.statements).as("a known answer under another id").hasValue(6);

        bed.statements.set(0);
        bed.reply("m-1", "O-9", "payment", DO, SUCCEEDED);
        assertThat(bed.statements).as("an orphan").hasValue(4);

        bed.statements.set(0);
        bed.reply("m-1", "O-9", "payment", DO, SUCCEEDED);
        assertThat(bed.statements).as("the same message again").hasValue(2);
    }

    @Test
    void aStartThatIsRepeatedMakesOneSaga() {
        bed.start("m-1", "O-1");

        assertThat(bed.start("m-1", "O-1")).isEqualTo(new Repeated());
        assertThat(bed.start("m-2", "O-1")).isEqualTo(decided(DUPLICATE));

        assertThat(bed.sent("O-1")).containsExactly("TakePayment.v1");
        assertThat(bed.history("O-1")).containsExactly(APPLIED, DUPLICATE);
        assertThat(bed.heard.repeated).hasValue(1);
    }

    @Test
    void startsAtTheSameTimeMakeOneSaga() throws Exception {
        CyclicBarrier together = new CyclicBarrier(8);
        List<Callable<SagaResult>> starts = LongStream.range(0, 8)
                .<Callable<SagaResult>>mapToObj(i -> () -> {
                    together.await(10, TimeUnit.SECONDS);
                    return bed.start("m-" + i, "O-1");
                })
                .toList();

        assertThat(allOf(starts))
                .containsOnly(decided(APPLIED), decided(DUPLICATE))
                .containsOnlyOnce(decided(APPLIED));
        assertThat(bed.sent("O-1")).containsExactly("TakePayment.v1");
    }

    private static <T> List<T> allOf(List<Callable<T>> calls) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(calls.size())) {
            List<T> results = new ArrayList<>();
            for (Future<T> call : threads.invokeAll(calls)) {
                results.add(call.get(30, TimeUnit.SECONDS));
            }
            return results;
        }
    }

    @Test
    void aMessageThatCanNotStartASagaLeavesNothing() {
        SagaResult result = bed.sagas.start("m-1", Orders.DEFINITION, new SagaData(Map.of("orderId", "O-1")), null);

        assertThat(result).isInstanceOf(Impossible.class);
        assertThat(bed.store.find(id("O-1"))).isEmpty();
    }

    @Test
    void anAnswerThatComesTwiceMakesOneTransition() {
        bed.start("O-1");
        bed.reply("m-1", "O-1", "payment", DO, SUCCEEDED);

        assertThat(bed.reply("m-1", "O-1", "payment", DO, SUCCEEDED)).isEqualTo(new Repeated());

        assertThat(bed.history("O-1")).containsExactly(APPLIED, APPLIED);
        assertThat(bed.sent("O-1")).containsExactly("TakePayment.v1", "ReserveStock.v1");
        assertThat(bed.heard.repeated).hasValue(1);
    }

    @Test
    void theSameAnswerUnderAnotherIdIsNotedAndMovesNothing() {
        bed.start("O-1");
        done("O-1", "payment");
        Saga before = bed.saga("O-1");

        assertThat(done("O-1", "payment")).isEqualTo(decided(DUPLICATE));

        assertThat(bed.history("O-1")).containsExactly(APPLIED, APPLIED, DUPLICATE);
        assertThat(bed.sent("O-1")).containsExactly("TakePayment.v1", "ReserveStock.v1");
        assertThat(bed.saga("O-1").steps()).isEqualTo(before.steps());
    }

    /** Makes all who want a saga's lock wait for each other before they get it. */
    private record Racing(SagaStore store, CyclicBarrier barrier) implements ForwardingSagaStore {

        @Override
        public Optional<Saga> lock(UUID sagaId) {
            try {
                barrier.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException(e);
            }
            return store.lock(sagaId);
        }
    }

    /** An answer and a wish to cancel, both with the message already in the inbox. Whichever is first, both count. */
    @Test
    void twoWhoWantTheSameSagaTakeTurns() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        SagaDefinitions definitions = new SagaDefinitions(List.of(Orders.DEFINITION));
        SagaBed one = bed.another(definitions, store -> new Racing(store, barrier));
        SagaBed other = bed.another(definitions, store -> new Racing(store, barrier));
        int answerFirst = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String order = "O-" + round;
            bed.start(order);

            List<SagaResult> results = allOf(List.of(
                    () -> one.reply(order, "payment", DO, SUCCEEDED),
                    () -> other.sagas.cancel("cancel:" + order, Orders.DEFINITION, SagaBed.placed(order))));

            Saga saga = bed.saga(order);
            assertThat(saga.version()).as(order).isEqualTo(3);
            assertThat(saga.cancelRequested()).as(order).isTrue();
            assertThat(saga.step("payment").forward()).as(order).isEqualTo(ForwardStatus.SUCCEEDED);
            assertThat(bed.dossier(order).history())
                    .extracting(SagaStore.Happened::version)
                    .containsExactly(1L, 2L, 3L);
            if (results.getFirst().equals(decided(APPLIED))) {
                answerFirst++;
                assertThat(bed.sent(order)).containsExactly("TakePayment.v1", "ReserveStock.v1", "ReleaseStock.v1");
            } else {
                assertThat(results).containsExactly(decided(LATE_SUCCESS), decided(APPLIED));
                assertThat(bed.sent(order)).containsExactly("TakePayment.v1", "RefundPayment.v1");
            }
        }
        assertThat(answerFirst).as("both orders have happened").isBetween(1, ROUNDS - 1);
    }

    @Test
    void whoWaitsTooLongForASagaComesAgain() {
        bed.start("O-1");
        SagaBed other = bed.another(new SagaDefinitions(List.of(Orders.DEFINITION)), store -> store);

        other.store.inTransaction(() -> {
            assertThat(other.store.lock(id("O-1"))).isPresent();
            Instant begin = Instant.now();
            assertThatThrownBy(() -> bed.reply("m-1", "O-1", "payment", DO, SUCCEEDED))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("lock timeout");
            assertThat(Duration.between(begin, Instant.now())).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(15));
            return true;
        });

        assertThat(bed.reply("m-1", "O-1", "payment", DO, SUCCEEDED)).isEqualTo(decided(APPLIED));
    }

    @Test
    void anAnswerToASagaThatIsNotHereIsKept() {
        SagaResult result = bed.sagas.reply(
                "m-1", id("O-9"), SagaBed.answer("O-9", "payment", DO, SUCCEEDED), "{\"the\":\"body\"}");

        assertThat(result).isEqualTo(new Orphan());
        assertThat(bed.jdbc
                        .sql("SELECT message_id, saga_id, body FROM saga_orphan")
                        .query()
                        .singleRow())
                .isEqualTo(Map.of("message_id", "m-1", "saga_id", id("O-9"), "body", "{\"the\":\"body\"}"));
        assertThat(bed.heard.orphans).hasValue(1);
    }

    @Test
    void aWishToCancelThatOvertakesTheStartComesAgain() {
        assertThatExceptionOfType(NotStartedYetException.class)
                .isThrownBy(() -> bed.sagas.cancel("m-1", Orders.DEFINITION, SagaBed.placed("O-1")));
        bed.start("O-1");

        assertThat(bed.sagas.cancel("m-1", Orders.DEFINITION, SagaBed.placed("O-1")))
                .isEqualTo(decided(APPLIED));
        assertThat(bed.saga("O-1").state()).isEqualTo("PAYMENT_REFUND_PENDING");
    }

    @Test
    void aSuccessAfterARefusalIsUndone() {
        bed.start("O-1");
        bed.reply("O-1", "payment", DO, REFUSED);
        assertThat(bed.saga("O-1").outcome()).isEqualTo(SagaOutcome.CANCELLED);

        assertThat(done("O-1", "payment")).isEqualTo(decided(CONTRADICTION));

        SagaStore.Dossier reopened = bed.dossier("O-1");
        assertThat(reopened.saga().phase()).isEqualTo(Phase.COMPENSATING);
        assertThat(reopened.saga().attention()).isEqualTo(Attention.CONTRADICTION);
        assertThat(reopened.wakeAt()).isNotNull();
        undone("O-1", "payment");
        assertThat(bed.saga("O-1").outcome()).isEqualTo(SagaOutcome.CANCELLED);
        assertThat(bed.sent("O-1")).containsExactly("TakePayment.v1", "OrderCancelled.v1", "RefundPayment.v1");
        assertThat(bed.jdbc
                        .sql("SELECT ended_at IS NOT NULL FROM saga_instance")
                        .query(Boolean.class)
                        .single())
                .isTrue();
    }

    @Test
    void anAnswerThatCanNotBeReadParksItsSagaUntilItIsReleased() {
        bed.start("O-1");
        bed.publish(Duration.ofHours(1));

        assertThat(bed.sagas.unreadable("unreadable:1", id("O-1"))).isEqualTo(decided(POISON));
        assertThat(bed.sagas.unreadable("unreadable:1", id("O-1"))).isEqualTo(new Repeated());
        assertThat(bed.saga("O-1").parked()).isTrue();
        assertThat(bed.saga("O-1").attention()).isEqualTo(Attention.UNREADABLE_REPLY);
        bed.timers.wake();
        assertThat(bed.sent("O-1")).as("while it is parked").containsExactly("TakePayment.v1");

        assertThat(bed.sagas.operate(id("O-1"), new Operated(new Verb.Unpark(), "alice", "the answer was mended")))
                .contains(APPLIED);
        bed.timers.wake();
        done("O-1", "payment");

        assertThat(bed.history("O-1")).containsExactly(APPLIED, POISON, APPLIED, RESENT, APPLIED);
        assertThat(bed.sent("O-1")).containsExactly("TakePayment.v1", "TakePayment.v1", "ReserveStock.v1");
        assertThat(bed.dossier("O-1").history().get(2).note()).isEqualTo("unpark by alice: the answer was mended");
        assertThat(bed.saga("O-1").attention()).isNull();
    }

    @Test
    void anUnreadableAnswerToNoSagaParksNothing() {
        assertThat(bed.sagas.unreadable("unreadable:1", id("O-9"))).isInstanceOf(Impossible.class);
    }

    @Test
    void aParkedSagaStillTakesAnswers() {
        bed.start("O-1");
        bed.sagas.operate(id("O-1"), new Operated(new Verb.Park(), "alice", "to look at it"));

        done("O-1", "payment");

        assertThat(bed.saga("O-1").state()).isEqualTo("STOCK_PENDING");
        assertThat(bed.saga("O-1").parked()).isTrue();
        assertThat(bed.dossier("O-1").wakeAt()).isNull();
    }

    @Test
    void nobodyOperatesASagaThatIsNotThere() {
        assertThat(bed.sagas.operate(id("O-9"), new Operated(new Verb.RetryNow(), "alice", "why not")))
                .isEmpty();
    }

    @Test
    void theHistoryIsCountedByTheVersionsOfItsSaga() {
        bed.start("O-1");
        done("O-1", "payment");
        done("O-1", "payment");
        bed.sagas.operate(id("O-1"), new Operated(new Verb.RetryNow(), "alice", "impatience"));

        assertThat(bed.dossier("O-1").history())
                .extracting(SagaStore.Happened::version)
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(bed.saga("O-1").version()).isEqualTo(4);
    }

    @Test
    void aVersionThatIsNotKnownHereIsLeftToOthers() {
        bed.start("O-1");
        SagaBed newer = bed.another(new SagaDefinitions(List.of()), store -> store);
        bed.publish(Duration.ofHours(1));
        bed.due("O-1", Duration.ofHours(1));

        assertThatExceptionOfType(UnknownVersionException.class)
                .isThrownBy(() -> newer.reply("m-1", "O-1", "payment", DO, SUCCEEDED))
                .withMessageContaining("order-fulfilment version 1");
        newer.timers.wake();

        assertThat(bed.history("O-1")).containsExactly(APPLIED);
        assertThat(newer.sagas.count().unknown())
                .containsExactly(new SagaDefinitions.DefinitionKey("order-fulfilment", 1));
        assertThat(bed.reply("m-1", "O-1", "payment", DO, SUCCEEDED)).isEqualTo(decided(APPLIED));
    }

    @Test
    void aPublishedVersionKeepsItsChecksum() {
        SagaDefinition changed = SagaDefinition.named("order-fulfilment", 1)
                .replyTo("order-saga")
                .startedBy("OrderPlaced.v1", "${data.orderId}")
                .completed(new MessageTemplate("order-events", "OrderCompleted.v1", Map.of()))
                .cancelled(new MessageTemplate("order-events", "OrderCancelled.v1", Map.of()))
                .cannotBeCancelled(new MessageTemplate("order-events", "OrderCannotBeCancelled.v1", Map.of()))
                .step(
                        "only",
                        StepKind.RETRIABLE,
                        step -> step.action(new MessageTemplate("order-commands", "ConfirmOrder.v1", Map.of()))
                                .timeout(Duration.ofMinutes(1)))
                .build();

        assertThat(bed.store.publish(Orders.DEFINITION)).isEqualTo(Orders.DEFINITION.checksum());
        assertThat(changed.changesSince(bed.store.publish(changed))).isNotEmpty();
    }

    // What the database itself refuses

    @Test
    void anEngineThatForgetsToWakeItsSagaCanNotCommit() {
        bed.start("O-1");

        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> bed.store.inTransaction(() -> {
                    Saga saga = bed.store.lock(id("O-1")).orElseThrow();
                    Decision decision =
                            Orders.transitions(0).decide(Orders.DEFINITION, saga, new SagaEvent.StartRepeated());
                    bed.store.write(
                            saga,
                            new Decision(
                                    decision.disposition(),
                                    decision.saga(),
                                    new WakeUp.Never(),
                                    List.of(),
                                    List.of(),
                                    decision.note()));
                    return true;
                }))
                .withMessageContaining("saga_instance_is_alive");

        assertThat(bed.dossier("O-1").wakeAt()).isNotNull();
        assertThat(bed.history("O-1")).containsExactly(APPLIED);
    }

    @Test
    void aDecisionAboutAnOldVersionIsNotWritten() {
        bed.start("O-1");
        Saga old = bed.saga("O-1");
        done("O-1", "payment");
        Decision decision =
                Orders.transitions(0).decide(Orders.DEFINITION, old, SagaBed.answer("O-1", "payment", DO, REFUSED));

        assertThatThrownBy(() -> bed.store.inTransaction(() -> {
                    bed.store.write(old, decision);
                    return true;
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another version");

        assertThat(bed.saga("O-1").step("payment").forward()).isEqualTo(ForwardStatus.SUCCEEDED);
    }

    @Test
    void aBusinessKeyHasOneLiveSaga() {
        bed.start("O-1");

        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> bed.owner.sql("""
                                INSERT INTO saga_instance (saga_id, saga_type, definition_version, business_key, phase, state,
                                    current_step, version, data, wake_at)
                                SELECT gen_random_uuid(), saga_type, definition_version, business_key, phase, state,
                                    current_step, version, data, wake_at FROM saga_instance""").update())
                .withMessageContaining("saga_instance_one_live_of_key");
    }

    @Test
    void anEndHasAnOutcomeAndNothingElseHas() {
        bed.start("O-1");

        Stream.of("outcome = 'COMPLETED'", "phase = 'ENDED', current_step = NULL, ended_at = now()")
                .forEach(change -> assertThatExceptionOfType(DataIntegrityViolationException.class)
                        .as(change)
                        .isThrownBy(() -> bed.owner
                                .sql("UPDATE saga_instance SET " + change)
                                .update()));
    }

    @Test
    void theApplicationCanNeitherChangeNorDeleteTheHistory() {
        bed.start("O-1");

        Stream.of(
                        "UPDATE saga_event SET note = 'other'",
                        "DELETE FROM saga_event",
                        "TRUNCATE saga_event",
                        "DELETE FROM saga_instance",
                        "DELETE FROM saga_step",
                        "UPDATE saga_definition SET checksum = checksum",
                        "DELETE FROM saga_orphan")
                .forEach(change -> assertThatThrownBy(() -> bed.jdbc.sql(change).update())
                        .as(change)
                        .isInstanceOf(BadSqlGrammarException.class)
                        .hasStackTraceContaining("permission denied"));
        assertThat(bed.history("O-1")).containsExactly(APPLIED);
    }
}
