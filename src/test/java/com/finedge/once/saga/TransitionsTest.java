package com.finedge.once.saga;

import static com.finedge.once.saga.Direction.DO;
import static com.finedge.once.saga.Direction.UNDO;
import static com.finedge.once.saga.ReplyOutcome.CANNOT_UNDO;
import static com.finedge.once.saga.ReplyOutcome.REFUSED;
import static com.finedge.once.saga.ReplyOutcome.SUCCEEDED;
import static com.finedge.once.saga.ReplyOutcome.TOMBSTONED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.finedge.once.saga.SagaEvent.CancelRequested;
import com.finedge.once.saga.SagaEvent.Operated;
import com.finedge.once.saga.SagaEvent.Reply;
import com.finedge.once.saga.SagaEvent.ReplyUnreadable;
import com.finedge.once.saga.SagaEvent.StartRepeated;
import com.finedge.once.saga.SagaEvent.Verb;
import com.finedge.once.saga.SagaEvent.Woken;
import com.finedge.once.saga.StartDecision.Impossible;
import com.finedge.once.saga.WakeUp.After;
import com.finedge.once.saga.WakeUp.Never;
import com.finedge.once.saga.WakeUp.Unchanged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TransitionsTest {

    private static final Woken TIME_IS_OVER = new Woken(Optional.of(Duration.ofHours(1)), false);

    private final SagaDefinition definition;
    private final Transitions transitions = Orders.transitions(1);
    private final List<String> states = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();
    private Decision last;

    TransitionsTest() {
        definition = Orders.DEFINITION;
        last = record(Orders.started(definition));
    }

    private Decision record(Decision decision) {
        if (states.isEmpty() || !states.getLast().equals(decision.saga().state())) {
            states.add(decision.saga().state());
        }
        decision.commands().forEach(command -> sent.add(command.type() + " " + command.attempt()));
        decision.facts().forEach(fact -> sent.add(fact.type()));
        return decision;
    }

    private Decision on(SagaEvent event) {
        last = record(transitions.decide(definition, last.saga(), event));
        return last;
    }

    private Decision answer(String step, Direction direction, ReplyOutcome outcome) {
        return answer(step, direction, outcome, Orders.ANSWER);
    }

    private Decision answer(String step, Direction direction, ReplyOutcome outcome, SagaData data) {
        Step recorded = last.saga().step(step);
        return on(new Reply(
                direction == DO ? recorded.forwardCommandId() : recorded.undoCommandId(), direction, 1, outcome, data));
    }

    private Decision operate(Verb verb) {
        return on(new Operated(verb, "ann", "asked by the customer"));
    }

    private void spendAttempts() {
        for (int i = 0; i < 3; i++) {
            assertThat(on(TIME_IS_OVER).disposition()).isEqualTo(Disposition.RESENT);
        }
    }

    private void complete() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, SUCCEEDED);
        answer("shipping", DO, SUCCEEDED);
        answer("confirm", DO, SUCCEEDED);
    }

    @Test
    void anOrderGoesThroughItsStatesAndCompletes() {
        complete();

        assertThat(states)
                .containsExactly(
                        "PAYMENT_PENDING", "STOCK_PENDING", "SHIPPING_PENDING", "CONFIRM_PENDING", "COMPLETED");
        assertThat(sent)
                .containsExactly(
                        "TakePayment.v1 1",
                        "ReserveStock.v1 1",
                        "ArrangeShipping.v1 1",
                        "ConfirmOrder.v1 1",
                        "OrderCompleted.v1");
        assertThat(last.saga().outcome()).isEqualTo(SagaOutcome.COMPLETED);
        assertThat(last.wakeUp()).isEqualTo(new Never());
    }

    @Test
    void aCommandCarriesWhatWasRemembered() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, SUCCEEDED);
        answer("shipping", DO, SUCCEEDED);

        assertThat(last.commands())
                .singleElement()
                .satisfies(command -> assertThat(command.data().values())
                        .isEqualTo(Map.of("orderId", "O-1", "paymentId", "P-1", "shipmentId", "S-1")));
    }

    @Test
    void aDeclinedPaymentCancelsWithNothingToUndo() {
        answer("payment", DO, REFUSED);

        assertThat(states).containsExactly("PAYMENT_PENDING", "CANCELLED");
        assertThat(sent).containsExactly("TakePayment.v1 1", "OrderCancelled.v1");
    }

    @Test
    void aFailedShippingReleasesTheStockAndThenRefunds() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, SUCCEEDED);
        answer("shipping", DO, REFUSED);
        answer("stock", UNDO, SUCCEEDED);
        answer("payment", UNDO, SUCCEEDED);

        assertThat(states)
                .containsExactly(
                        "PAYMENT_PENDING",
                        "STOCK_PENDING",
                        "SHIPPING_PENDING",
                        "STOCK_RELEASE_PENDING",
                        "PAYMENT_REFUND_PENDING",
                        "CANCELLED");
        assertThat(sent).endsWith("ReleaseStock.v1 1", "RefundPayment.v1 1", "OrderCancelled.v1");
    }

    @Test
    void aStepThatTimesOutIsUndoneToo() {
        answer("payment", DO, SUCCEEDED);
        spendAttempts();

        assertThat(on(TIME_IS_OVER).disposition()).isEqualTo(Disposition.TIMED_OUT);
        assertThat(last.saga().step("stock").forward()).isEqualTo(ForwardStatus.IN_DOUBT);
        assertThat(sent)
                .endsWith(
                        "ReserveStock.v1 1",
                        "ReserveStock.v1 2",
                        "ReserveStock.v1 3",
                        "ReserveStock.v1 4",
                        "ReleaseStock.v1 1");
        assertThat(answer("stock", DO, SUCCEEDED).disposition()).isEqualTo(Disposition.LATE_SUCCESS);
        assertThat(last.saga().data().values()).doesNotContainKey("reservationId");
        assertThat(last.saga().step("stock").forwardReply()).isEqualTo(Orders.ANSWER);
        answer("stock", UNDO, SUCCEEDED);
        assertThat(last.saga().state()).isEqualTo("PAYMENT_REFUND_PENDING");
        assertThat(answer("stock", DO, TOMBSTONED).disposition()).isEqualTo(Disposition.STALE);
    }

    @Test
    void aPivotInDoubtThatStandsGoesForwardAgain() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, SUCCEEDED);
        spendAttempts();
        on(TIME_IS_OVER);
        assertThat(last.saga().state()).isEqualTo("SHIPPING_CANCEL_PENDING");

        assertThat(answer("shipping", UNDO, CANNOT_UNDO).disposition()).isEqualTo(Disposition.PIVOT_STANDS);
        assertThat(last.saga().state()).isEqualTo("CONFIRM_PENDING");
        assertThat(last.saga().data().at(List.of("shipmentId"))).isEqualTo("S-1");
        answer("confirm", DO, SUCCEEDED);
        assertThat(last.saga().outcome()).isEqualTo(SagaOutcome.COMPLETED);
    }

    @Test
    void thePivotsUndoIsWaitedForHoweverLongItTakes() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, SUCCEEDED);
        operate(new Verb.Compensate());
        for (int i = 0; i < 10; i++) {
            on(TIME_IS_OVER);
        }

        assertThat(sent).doesNotContain("ReleaseStock.v1 1").contains("CancelShipment.v1 11");
        assertThat(last.saga().attention()).isEqualTo(Attention.UNDO_NOT_CONFIRMED);
    }

    @Test
    void anUndoThatIsNotConfirmedHoldsTheOthersBackForThreeAttemptsOnly() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, SUCCEEDED);
        answer("shipping", DO, REFUSED);
        on(TIME_IS_OVER);
        assertThat(last.saga().attention()).isNull();
        assertThat(sent).doesNotContain("RefundPayment.v1 1");

        on(TIME_IS_OVER);
        assertThat(sent).endsWith("ReleaseStock.v1 2", "ReleaseStock.v1 3", "RefundPayment.v1 1");
        assertThat(last.saga().attention()).isEqualTo(Attention.UNDO_NOT_CONFIRMED);
        assertThat(last.saga().state()).isEqualTo("STOCK_RELEASE_PENDING");

        answer("payment", UNDO, SUCCEEDED);
        assertThat(last.saga().phase()).isEqualTo(Phase.COMPENSATING);
        answer("stock", UNDO, SUCCEEDED);
        assertThat(last.saga().state()).isEqualTo("CANCELLED");
        assertThat(last.saga().attention()).isNull();
    }

    @Test
    void anUndoIsSentForEverAtGrowingIntervals() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, REFUSED);
        List<Long> seconds = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            if (last.wakeUp() instanceof After(Duration delay)) {
                seconds.add(delay.toSeconds());
            }
            assertThat(on(TIME_IS_OVER).disposition()).isEqualTo(Disposition.RESENT);
        }

        assertThat(seconds).hasSize(200);
        int[] expected = {5, 15, 45, 135, 405, 600, 600};
        for (int i = 0; i < 200; i++) {
            int middle = expected[Math.min(i, expected.length - 1)];
            assertThat(seconds.get(i)).isBetween(Math.round(middle * 0.8) - 1, Math.round(middle * 1.2));
        }
        assertThat(seconds.stream().distinct()).as("they are spread").hasSizeGreaterThan(100);
    }

    @Test
    void aRetriableStepIsSentUntilItSucceeds() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, SUCCEEDED);
        answer("shipping", DO, SUCCEEDED);
        spendAttempts();
        assertThat(last.saga().attention()).isNull();
        assertThat(last.wakeUp()).isEqualTo(new After(Duration.ofMinutes(2)));

        on(TIME_IS_OVER);
        assertThat(last.saga().attention()).isEqualTo(Attention.NO_REPLY);
        for (int i = 0; i < 50; i++) {
            assertThat(on(TIME_IS_OVER).disposition()).isEqualTo(Disposition.RESENT);
        }
        assertThat(last.wakeUp()).isEqualTo(new After(Duration.ofMinutes(10)));
        assertThat(last.saga().phase()).isEqualTo(Phase.FORWARD);
        answer("confirm", DO, SUCCEEDED);
        assertThat(last.saga().attention()).isNull();
        assertThat(last.saga().outcome()).isEqualTo(SagaOutcome.COMPLETED);
    }

    @Test
    void anAttemptIsTimedFromWhenItsCommandHasLeft() {
        assertThat(on(new Woken(Optional.empty(), false)).disposition()).isEqualTo(Disposition.REARMED);
        assertThat(last.wakeUp()).isEqualTo(new After(Duration.ofMinutes(2)));
        assertThat(on(new Woken(Optional.of(Duration.ofSeconds(30)), false)).disposition())
                .isEqualTo(Disposition.REARMED);
        assertThat(last.wakeUp()).isEqualTo(new After(Duration.ofSeconds(90)));
        assertThat(on(new Woken(Optional.of(Duration.ofSeconds(97)), false)).disposition())
                .isEqualTo(Disposition.RESENT);
        assertThat(sent).containsExactly("TakePayment.v1 1", "TakePayment.v1 2");
    }

    @Test
    void aParticipantThatIsBehindIsNotDoubted() {
        for (int i = 0; i < 20; i++) {
            assertThat(on(new Woken(Optional.of(Duration.ofHours(1)), true)).disposition())
                    .isEqualTo(Disposition.HELD);
        }

        assertThat(sent).containsExactly("TakePayment.v1 1");
        assertThat(last.saga().attention()).isNull();
        assertThat(last.wakeUp()).isEqualTo(new After(Duration.ofMinutes(2)));
    }

    @Test
    void anUndoIsSentAgainEvenThroughABacklogButNotWhileOneWaitsToLeave() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, REFUSED);

        assertThat(on(new Woken(Optional.empty(), true)).disposition()).isEqualTo(Disposition.REARMED);
        assertThat(on(new Woken(Optional.of(Duration.ofHours(1)), true)).disposition())
                .isEqualTo(Disposition.RESENT);
    }

    @Test
    void aContradictionAfterTheEndOpensTheSagaAgainAndTellsNothingTwice() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, REFUSED);
        answer("payment", UNDO, SUCCEEDED);
        assertThat(last.saga().phase()).isEqualTo(Phase.ENDED);

        assertThat(answer("stock", DO, SUCCEEDED).disposition()).isEqualTo(Disposition.CONTRADICTION);
        assertThat(last.saga().phase()).isEqualTo(Phase.COMPENSATING);
        assertThat(last.saga().attention()).isEqualTo(Attention.CONTRADICTION);
        assertThat(last.wakeUp()).isInstanceOf(After.class);
        answer("stock", UNDO, SUCCEEDED);
        assertThat(last.saga().outcome()).isEqualTo(SagaOutcome.CANCELLED);
        assertThat(sent).endsWith("OrderCancelled.v1", "ReleaseStock.v1 1").containsOnlyOnce("OrderCancelled.v1");
        assertThat(last.saga().attention())
                .as("stays until somebody has seen it")
                .isEqualTo(Attention.CONTRADICTION);
        operate(new Verb.Unpark());
        assertThat(last.saga().attention()).isNull();
        assertThat(last.wakeUp()).isEqualTo(new Unchanged());
    }

    @Test
    void aPivotThatStandsAfterTheEndWasToldDoesNotGoForward() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, SUCCEEDED);
        answer("shipping", DO, REFUSED);
        answer("shipping", DO, SUCCEEDED);
        assertThat(last.disposition()).isEqualTo(Disposition.CONTRADICTION);

        assertThat(answer("shipping", UNDO, CANNOT_UNDO).disposition()).isEqualTo(Disposition.ILLEGAL);
        assertThat(last.saga().phase()).isEqualTo(Phase.COMPENSATING);
        answer("stock", UNDO, SUCCEEDED);
        for (int i = 0; i < 3; i++) {
            on(TIME_IS_OVER);
        }
        assertThat(sent).contains("RefundPayment.v1 1");
        answer("payment", UNDO, SUCCEEDED);
        operate(new Verb.MarkUndone("shipping", "parcel came back, 4711"));
        assertThat(last.saga().outcome()).isEqualTo(SagaOutcome.CANCELLED);
        assertThat(last.note()).contains("mark-undone of shipping (parcel came back, 4711) by ann");
    }

    /** Nothing but the pivot was ever asked for, so only the end that was told stands in the way. */
    @Test
    void anEndThatWasToldKeepsThePivotFromGoingForward() {
        SagaDefinition lone = DefinitionsTest.loneParcel();
        Decision started = Orders.started(lone);
        Step pivot = started.saga().steps().getFirst();
        Decision refused = transitions.decide(
                lone, started.saga(), new Reply(pivot.forwardCommandId(), DO, 1, REFUSED, SagaData.EMPTY));
        assertThat(refused.saga().announced()).isEqualTo(SagaOutcome.CANCELLED);
        Decision contradicted = transitions.decide(
                lone, refused.saga(), new Reply(pivot.forwardCommandId(), DO, 1, SUCCEEDED, SagaData.EMPTY));
        assertThat(contradicted.saga().phase()).isEqualTo(Phase.COMPENSATING);

        Decision stands = transitions.decide(
                lone, contradicted.saga(), new Reply(pivot.undoCommandId(), UNDO, 1, CANNOT_UNDO, SagaData.EMPTY));
        assertThat(stands.disposition()).isEqualTo(Disposition.ILLEGAL);
        assertThat(stands.saga().phase()).isEqualTo(Phase.COMPENSATING);
    }

    @Test
    void anAnswerAfterTheEndIsADuplicate() {
        complete();

        assertThat(answer("confirm", DO, SUCCEEDED).disposition()).isEqualTo(Disposition.DUPLICATE);
        assertThat(on(new StartRepeated()).disposition()).isEqualTo(Disposition.DUPLICATE);
        assertThat(on(TIME_IS_OVER).disposition()).isEqualTo(Disposition.STALE);
        assertThat(last.wakeUp()).isEqualTo(new Never());
        assertThat(sent).hasSize(5);
    }

    @Test
    void aSuccessWithoutWhatLaterStepsNeedIsIllegalAndAskedForAgain() {
        assertThat(answer("payment", DO, SUCCEEDED, SagaData.EMPTY).disposition())
                .isEqualTo(Disposition.ILLEGAL);
        assertThat(last.saga().state()).isEqualTo("PAYMENT_PENDING");
        assertThat(last.saga().attention()).isEqualTo(Attention.ILLEGAL_REPLY);
        assertThat(on(TIME_IS_OVER).disposition()).isEqualTo(Disposition.RESENT);
        assertThat(answer("payment", DO, SUCCEEDED).disposition()).isEqualTo(Disposition.APPLIED);
    }

    @Test
    void aCancelBeforeThePivotTurnsBackFromTheCurrentStep() {
        answer("payment", DO, SUCCEEDED);

        assertThat(on(new CancelRequested()).disposition()).isEqualTo(Disposition.APPLIED);
        assertThat(last.saga().state()).isEqualTo("STOCK_RELEASE_PENDING");
        assertThat(on(new CancelRequested()).disposition()).isEqualTo(Disposition.DUPLICATE);
        answer("stock", UNDO, SUCCEEDED);
        answer("payment", UNDO, SUCCEEDED);
        assertThat(sent).endsWith("ReleaseStock.v1 1", "RefundPayment.v1 1", "OrderCancelled.v1");
        assertThat(on(new CancelRequested()).disposition()).isEqualTo(Disposition.DUPLICATE);
        assertThat(last.facts()).isEmpty();
    }

    @Test
    void aCancelAfterThePivotIsAnsweredOnce() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, SUCCEEDED);
        answer("shipping", DO, SUCCEEDED);

        assertThat(on(new CancelRequested()).disposition()).isEqualTo(Disposition.CANNOT_BE_CANCELLED);
        assertThat(on(new CancelRequested()).disposition()).isEqualTo(Disposition.DUPLICATE);
        answer("confirm", DO, SUCCEEDED);
        assertThat(on(new CancelRequested()).disposition()).isEqualTo(Disposition.DUPLICATE);
        assertThat(sent).endsWith("ConfirmOrder.v1 1", "OrderCannotBeCancelled.v1", "OrderCompleted.v1");
    }

    @Test
    void aCancelOfACompletedOrderIsAnswered() {
        complete();

        assertThat(on(new CancelRequested()).disposition()).isEqualTo(Disposition.CANNOT_BE_CANCELLED);
        assertThat(last.facts()).extracting(Fact::type).containsExactly("OrderCannotBeCancelled.v1");
    }

    @Test
    void aCancelDuringThePivotIsAnsweredByThePivot() {
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, SUCCEEDED);

        on(new CancelRequested());
        assertThat(last.saga().state()).isEqualTo("SHIPPING_CANCEL_PENDING");
        assertThat(last.facts()).isEmpty();
        answer("shipping", UNDO, CANNOT_UNDO);
        assertThat(sent).endsWith("CancelShipment.v1 1", "ConfirmOrder.v1 1", "OrderCannotBeCancelled.v1");
    }

    @Test
    void whatCanNotBeReadParksTheSagaUntilSomebodyReleasesIt() {
        assertThat(on(new ReplyUnreadable()).disposition()).isEqualTo(Disposition.POISON);
        assertThat(last.saga().parked()).isTrue();
        assertThat(last.saga().attention()).isEqualTo(Attention.UNREADABLE_REPLY);
        assertThat(last.wakeUp()).isEqualTo(new Never());

        operate(new Verb.Unpark());
        assertThat(last.saga().parked()).isFalse();
        assertThat(last.saga().attention()).isNull();
        assertThat(last.wakeUp()).isEqualTo(new After(Duration.ZERO));
    }

    @Test
    void anAnswerMovesAParkedSagaAndDoesNotWakeIt() {
        operate(new Verb.Park());
        answer("payment", DO, SUCCEEDED);

        assertThat(last.saga().state()).isEqualTo("STOCK_PENDING");
        assertThat(last.saga().parked()).isTrue();
        assertThat(last.wakeUp()).isEqualTo(new Never());
        assertThat(operate(new Verb.Park()).disposition()).isEqualTo(Disposition.DUPLICATE);
    }

    @Test
    void anOperatorsRetryNeverTurnsBack() {
        for (int i = 0; i < 9; i++) {
            assertThat(operate(new Verb.RetryNow()).disposition()).isEqualTo(Disposition.RESENT);
        }

        assertThat(last.saga().state()).isEqualTo("PAYMENT_PENDING");
        assertThat(sent).endsWith("TakePayment.v1 10");
    }

    @Test
    void noVerbGoesWhereTheSagaCouldNotGo() {
        assertThat(operate(new Verb.MarkUndone("payment", "x")).disposition()).isEqualTo(Disposition.NOT_APPLICABLE);
        assertThat(operate(new Verb.MarkUndone("nothing", "x")).disposition()).isEqualTo(Disposition.NOT_APPLICABLE);
        assertThat(operate(new Verb.Unpark()).disposition()).isEqualTo(Disposition.DUPLICATE);
        answer("payment", DO, SUCCEEDED);
        answer("stock", DO, SUCCEEDED);
        answer("shipping", DO, SUCCEEDED);
        assertThat(operate(new Verb.Compensate()).disposition()).isEqualTo(Disposition.NOT_APPLICABLE);
        answer("confirm", DO, SUCCEEDED);
        assertThat(operate(new Verb.RetryNow()).disposition()).isEqualTo(Disposition.NOT_APPLICABLE);
        assertThat(operate(new Verb.Park()).disposition()).isEqualTo(Disposition.NOT_APPLICABLE);
        assertThat(operate(new Verb.Compensate()).disposition()).isEqualTo(Disposition.NOT_APPLICABLE);
        assertThat(last.saga().outcome()).isEqualTo(SagaOutcome.COMPLETED);
        assertThat(last.saga().attention()).isNull();
    }

    @Test
    void anOperatorHasANameAReasonAndEvidence() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Operated(new Verb.Park(), " ", "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Operated(new Verb.Park(), "ann", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> new Verb.MarkUndone("payment", "\t"));
    }

    @Test
    void aStartThatLacksSomethingStartsNothing() {
        Map<String, Object> values = new HashMap<>(Orders.PLACED.values());
        values.remove("currency");
        assertThat(transitions.start(definition, new SagaData(values), null))
                .isEqualTo(new Impossible("the message doesn't bring currency"));
        for (Object key : List.of("", " O-1", "a/b", 7, "x".repeat(129))) {
            assertThat(transitions.start(definition, Orders.PLACED.with("orderId", key), null))
                    .isInstanceOf(Impossible.class);
        }
    }

    @Test
    void idsAreNamesOfTheirSagaStepAndDirection() {
        Saga saga = Orders.started(definition).saga();

        assertThat(saga.id()).isEqualTo(SagaIds.saga("order-fulfilment", "O-1"));
        // For ever: a deployment that computed others would start every order a second time.
        assertThat(saga.id()).hasToString("713ca641-6492-3c18-9f38-121cf0806a02");
        assertThat(saga.steps().stream().flatMap(step -> Stream.of(step.forwardCommandId(), step.undoCommandId())))
                .hasSize(8)
                .doesNotHaveDuplicates();
        assertThat(SagaIds.saga("order-fulfilment", "O-2")).isNotEqualTo(saga.id());
        assertThat(SagaIds.saga("order", "O-1")).isNotEqualTo(saga.id());
    }

    @Test
    void aSagaIsDecidedByItsOwnVersionOnly() {
        SagaDefinition other = DefinitionsTest.smallest("order-fulfilment", 2).build();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> transitions.decide(other, last.saga(), new StartRepeated()));
    }
}
