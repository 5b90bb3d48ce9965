package com.finedge.once.order;

import static com.finedge.once.saga.Direction.DO;
import static com.finedge.once.saga.Direction.UNDO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.finedge.once.adapter.postgres.PostgresOrderFacts;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.order.OrderDesk.Told;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.Participation;
import com.finedge.once.saga.ReplyOutcome;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.StepEffects;
import com.finedge.once.saga.UndoResult;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A step is done once and undone once, in whatever order its commands come. */
class ParticipantIT {

    private static final PostgresServer SERVER = LocalServices.shared().postgres();

    private final PostgresServer.Database database = SERVER.fresh();
    private final OrderDesk desk = new OrderDesk(database);

    @BeforeEach
    void migrate() {
        database.migrated();
    }

    private static Told told(ReplyOutcome outcome, String type) {
        return new Told("order-saga", outcome, type);
    }

    /** What happens around the effects of a command. */
    private record Around(StepEffects effects, Runnable before, Runnable after) implements StepEffects {

        @Override
        public ActionResult act() {
            before.run();
            ActionResult result = effects.act();
            after.run();
            return result;
        }

        @Override
        public UndoResult undo(SagaData done) {
            before.run();
            UndoResult result = effects.undo(done);
            after.run();
            return result;
        }

        @Override
        public String notNeeded() {
            return effects.notNeeded();
        }
    }

    private static Runnable failing(String reason) {
        return () -> {
            throw new IllegalStateException(reason);
        };
    }

    @Test
    void aResendIsAnsweredAgainAndDoesNothingAgain() {
        assertThat(desk.handle("O-1", "payment", DO, 1)).isEqualTo(Participation.ACTED);
        assertThat(desk.handle("O-1", "payment", DO, 2)).isEqualTo(Participation.REPEATED);

        Told taken = told(ReplyOutcome.SUCCEEDED, "PaymentTaken.v1");
        assertThat(desk.replies("O-1")).containsExactly(taken, taken);
        assertThat(desk.bodies("O-1")).as("down to the payment's id").hasSize(1);
        assertThat(desk.facts("O-1")).containsExactly("PaymentTaken.v1");
        assertThat(desk.count("payment", "O-1")).isEqualTo(1);
    }

    @Test
    void theSameMessageTwiceIsNotEvenAnsweredAgain() {
        desk.handle("O-1", "payment", DO, 1);

        assertThat(desk.handle("O-1", "payment", DO, 1)).isEqualTo(Participation.DUPLICATE);

        assertThat(desk.replies("O-1")).hasSize(1);
        assertThat(desk.count("payment", "O-1")).isEqualTo(1);
    }

    @Test
    void anUndoThatComesFirstKeepsItsActionFromEverHappening() {
        assertThat(desk.undo("O-1", "payment")).isEqualTo(Participation.NOT_NEEDED);
        assertThat(desk.act("O-1", "payment")).isEqualTo(Participation.TOMBSTONED);
        assertThat(desk.handle("O-1", "payment", DO, 2)).isEqualTo(Participation.TOMBSTONED);

        assertThat(desk.replies("O-1"))
                .containsExactly(
                        told(ReplyOutcome.SUCCEEDED, "PaymentRefundNotNeeded.v1"),
                        told(ReplyOutcome.TOMBSTONED, "StepTombstoned.v1"),
                        told(ReplyOutcome.TOMBSTONED, "StepTombstoned.v1"));
        assertThat(desk.facts("O-1")).containsExactly("PaymentRefundNotNeeded.v1");
        assertThat(desk.count("payment", "O-1")).isZero();
        assertThat(desk.count("refund", "O-1")).isZero();
    }

    @Test
    void aSecondUndoMakesNoSecondRefund() {
        desk.act("O-1", "payment");

        assertThat(desk.handle("O-1", "payment", UNDO, 1)).isEqualTo(Participation.UNDONE);
        assertThat(desk.handle("O-1", "payment", UNDO, 2)).isEqualTo(Participation.REPEATED);

        assertThat(desk.count("refund", "O-1")).isEqualTo(1);
        assertThat(desk.facts("O-1")).containsExactly("PaymentTaken.v1", "PaymentRefunded.v1");
        assertThat(desk.replies("O-1")).hasSize(3);
    }

    @Test
    void aResendThatItsUndoHasOvertakenIsTombstoned() {
        desk.act("O-1", "payment");
        desk.undo("O-1", "payment");

        assertThat(desk.handle("O-1", "payment", DO, 2)).isEqualTo(Participation.TOMBSTONED);

        assertThat(desk.count("payment", "O-1")).isEqualTo(1);
        assertThat(desk.count("refund", "O-1")).isEqualTo(1);
    }

    @Test
    void aRefusalIsNeverTakenBackAndNeedsNoUndo() {
        desk.refuse("O-1", "payment");
        desk.act("O-1", "payment");
        desk.accept("O-1", "payment");

        assertThat(desk.handle("O-1", "payment", DO, 2)).isEqualTo(Participation.REPEATED);
        assertThat(desk.undo("O-1", "payment")).isEqualTo(Participation.NOT_NEEDED);

        assertThat(desk.replies("O-1"))
                .containsExactly(
                        told(ReplyOutcome.REFUSED, "PaymentDeclined.v1"),
                        told(ReplyOutcome.REFUSED, "PaymentDeclined.v1"),
                        told(ReplyOutcome.SUCCEEDED, "PaymentRefundNotNeeded.v1"));
        assertThat(desk.facts("O-1")).containsExactly("PaymentDeclined.v1", "PaymentRefundNotNeeded.v1");
        assertThat(desk.count("payment", "O-1")).isZero();
    }

    @Test
    void whatFailsAfterTheEffectLeavesNothingAndIsDoneAtTheNextDelivery() {
        assertThatIllegalStateException()
                .isThrownBy(() -> desk.handle(
                        "O-1", "payment", DO, 1, effects -> new Around(effects, () -> {}, failing("the line is cut"))));
        assertThat(desk.count("payment", "O-1")).isZero();
        assertThat(desk.replies("O-1")).isEmpty();

        assertThat(desk.handle("O-1", "payment", DO, 1)).isEqualTo(Participation.ACTED);
        assertThat(desk.count("payment", "O-1")).isEqualTo(1);
    }

    @Test
    void anUndoThatFailsSevenTimesIsDoneAtTheEighth() {
        desk.act("O-1", "payment");
        for (int i = 0; i < 7; i++) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> desk.handle(
                            "O-1",
                            "payment",
                            UNDO,
                            1,
                            effects -> new Around(effects, failing("out of order"), () -> {})));
        }

        assertThat(desk.undo("O-1", "payment")).isEqualTo(Participation.UNDONE);

        assertThat(desk.count("refund", "O-1")).isEqualTo(1);
        assertThat(desk.replies("O-1")).hasSize(2);
    }

    @ParameterizedTest(name = "which commits: {0}")
    @ValueSource(booleans = {true, false})
    void anUndoWaitsForTheActionThatIsUnderWay(boolean commits) throws Exception {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<Participation> action = threads.submit(() -> desk.handle(
                    "O-1",
                    "payment",
                    DO,
                    1,
                    effects -> new Around(effects, () -> {}, () -> {
                        taken.countDown();
                        awaitUnchecked(goOn);
                        if (!commits) {
                            throw new IllegalStateException("rolled back");
                        }
                    })));
            assertThat(taken.await(20, TimeUnit.SECONDS)).isTrue();
            Future<Participation> undo = threads.submit(() -> desk.undo("O-1", "payment"));
            awaitOneThatWaitsForALock();
            assertThat(undo).isNotDone();

            goOn.countDown();

            if (commits) {
                assertThat(action.get(20, TimeUnit.SECONDS)).isEqualTo(Participation.ACTED);
            } else {
                assertThatThrownBy(() -> action.get(20, TimeUnit.SECONDS)).hasMessageContaining("rolled back");
            }
            assertThat(undo.get(20, TimeUnit.SECONDS))
                    .isEqualTo(commits ? Participation.UNDONE : Participation.NOT_NEEDED);
        }
        assertThat(desk.count("payment", "O-1")).isEqualTo(commits ? 1 : 0);
        assertThat(desk.count("refund", "O-1")).isEqualTo(commits ? 1 : 0);
    }

    private void awaitOneThatWaitsForALock() {
        await().until(() -> desk.jdbc
                        .sql("SELECT count(*) FROM pg_stat_activity WHERE datname = ? AND wait_event_type = 'Lock'")
                        .param(database.name())
                        .query(Integer.class)
                        .single()
                == 1);
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aDispatchedShipmentCannotBeCancelledAndIsArrangedStill() {
        desk.act("O-1", "shipping");
        desk.dispatch("O-1");

        desk.undo("O-1", "shipping");
        desk.handle("O-1", "shipping", UNDO, 2);
        desk.handle("O-1", "shipping", DO, 2);

        assertThat(desk.replies("O-1"))
                .containsExactly(
                        told(ReplyOutcome.SUCCEEDED, "ShippingArranged.v1"),
                        told(ReplyOutcome.CANNOT_UNDO, "ShipmentAlreadyDispatched.v1"),
                        told(ReplyOutcome.CANNOT_UNDO, "ShipmentAlreadyDispatched.v1"),
                        told(ReplyOutcome.SUCCEEDED, "ShippingArranged.v1"));
        assertThat(desk.count("shipment_cancellation", "O-1")).isZero();
    }

    /** The carrier's row is written and not yet committed when the undo looks for it. */
    @Test
    void aShipmentThatGoesOffWhileItIsCancelledIsDispatchedAndNotCancelled() throws Exception {
        desk.act("O-1", "shipping");
        try (Connection carrier = database.dataSource().getConnection();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            carrier.setAutoCommit(false);
            try (Statement dispatch = carrier.createStatement()) {
                dispatch.execute("INSERT INTO shipment_dispatch SELECT shipment_id, now() FROM shipment");
            }
            Future<Participation> undo = threads.submit(() -> desk.undo("O-1", "shipping"));
            awaitOneThatWaitsForALock();
            carrier.commit();

            assertThatThrownBy(() -> undo.get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("dispatched or cancelled before");
        }

        assertThat(desk.undo("O-1", "shipping")).as("its next delivery").isEqualTo(Participation.UNDONE);
        assertThat(desk.replies("O-1")).last().extracting(Told::outcome).isEqualTo(ReplyOutcome.CANNOT_UNDO);
        assertThat(desk.count("shipment_cancellation", "O-1")).isZero();
    }

    @Test
    void eachStepOfAFailedShippingIsAFactOfItsOwnAndThePaymentStaysAsItWas() {
        desk.refuse("O-1", "shipping");
        desk.act("O-1", "payment");
        Map<String, Object> payment = row("payment");
        desk.act("O-1", "stock");
        desk.act("O-1", "shipping");
        desk.undo("O-1", "stock");
        desk.undo("O-1", "payment");

        assertThat(desk.facts("O-1"))
                .containsExactly(
                        "PaymentTaken.v1",
                        "StockReserved.v1",
                        "ShippingFailed.v1",
                        "StockReleased.v1",
                        "PaymentRefunded.v1");
        assertThat(row("payment")).as("with the transaction that wrote it").isEqualTo(payment);
        assertThat(row("refund"))
                .containsEntry("payment_id", payment.get("payment_id"))
                .containsEntry("amount", payment.get("amount"));
        assertThat(desk.count("stock_release", "O-1")).isEqualTo(1);
        assertThat(desk.count("shipment", "O-1")).isZero();
    }

    private Map<String, Object> row(String table) {
        return desk.jdbc
                .sql("SELECT xmin::text AS writer, * FROM " + table)
                .query()
                .singleRow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "payment",
                "refund",
                "stock_reservation",
                "stock_release",
                "shipment",
                "shipment_dispatch",
                "shipment_cancellation",
                "order_confirmation"
            })
    void theApplicationCanNeitherChangeNorTakeBackAFact(String table) {
        assertThatThrownBy(() -> desk.jdbc.sql("DELETE FROM " + table).update())
                .rootCause()
                .hasMessageContaining("permission denied");
        assertThatThrownBy(() -> desk.jdbc.sql("TRUNCATE " + table).update())
                .rootCause()
                .hasMessageContaining("permission denied");
        String column = desk.jdbc
                .sql("SELECT column_name FROM information_schema.columns WHERE table_name = ? LIMIT 1")
                .param(table)
                .query(String.class)
                .single();
        assertThatThrownBy(() -> desk.jdbc
                        .sql("UPDATE %s SET %s = NULL".formatted(table, column))
                        .update())
                .rootCause()
                .hasMessageContaining("permission denied");
    }

    @Test
    void noTransitionOfTheProtocolAndNobodyElseCanChangeAnAnswerThatWasGiven() {
        desk.act("O-1", "payment");
        assertThatThrownBy(() -> desk.jdbc
                        .sql("UPDATE participant_op SET fwd_state = 'REFUSED'")
                        .update())
                .hasMessageContaining("can not change");

        desk.undo("O-2", "payment");
        assertThatThrownBy(() -> desk.jdbc
                        .sql("UPDATE participant_op SET fwd_state = 'SUCCEEDED', fwd_type = 'PaymentTaken.v1',"
                                + " fwd_reply = '{}', fwd_at = now() WHERE saga_id = ?")
                        .param(OrderDesk.saga("O-2"))
                        .update())
                .as("a tombstone")
                .hasMessageContaining("can not change");
    }

    @Test
    void aRefundOfAnotherAmountThanWasTakenIsNoRefund() {
        desk.act("O-1", "payment");

        assertThatThrownBy(() -> desk.jdbc
                        .sql(
                                "INSERT INTO refund SELECT gen_random_uuid(), payment_id, amount + 1, currency, now() FROM payment")
                        .update())
                .hasMessageContaining("refund_payment_id_amount_currency_fkey");
    }

    @Test
    void aFactOutsideATransactionIsRefused() {
        var facts = new PostgresOrderFacts(database.dataSource());

        assertThatIllegalStateException()
                .isThrownBy(() -> facts.add(new OrderFact.ShipmentCancellation(UUID.randomUUID(), Instant.EPOCH)))
                .withMessageContaining("transaction");
    }
}
