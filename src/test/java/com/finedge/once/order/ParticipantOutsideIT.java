package com.finedge.once.order;

import static com.finedge.once.saga.Direction.DO;
import static com.finedge.once.saga.Direction.UNDO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.finedge.once.dev.CoreBankingSimulator;
import com.finedge.once.dev.Fault;
import com.finedge.once.dev.Fault.Call;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.Payment;
import com.finedge.once.order.OrderDesk.Told;
import com.finedge.once.order.ProviderDesk.Failed;
import com.finedge.once.order.ProviderDesk.InTheAir;
import com.finedge.once.order.ProviderDesk.Killed;
import com.finedge.once.order.ProviderDesk.Message;
import com.finedge.once.order.ProviderDesk.Seam;
import com.finedge.once.order.ProviderDesk.Seams;
import com.finedge.once.saga.CommandResult;
import com.finedge.once.saga.Direction;
import com.finedge.once.saga.Participation;
import com.finedge.once.saga.ReplyOutcome;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A payment at a provider over HTTP: whatever dies where, no customer is charged twice, or charged and not refunded. */
class ParticipantOutsideIT {

    private static final Duration PAST_THE_LEASE = OrderDesk.LEASE.plusSeconds(1);

    private static final CoreBankingSimulator SIMULATOR = CoreBankingSimulator.start(0);
    private static final HikariDataSource POOL = pool();

    private final ProviderDesk provider = new ProviderDesk(POOL, SIMULATOR);
    private final String order = "P-" + UUID.randomUUID();

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

    @AfterEach
    void nothingIsHeld() {
        assertThat(POOL.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    private Message message(Direction direction, int attempt) {
        return new Message(order, direction, attempt);
    }

    private Participation handle(Direction direction) {
        return provider.handle(message(direction, 1));
    }

    private Payment payment() {
        assertThat(provider.atProvider(order)).hasSize(1);
        return provider.atProvider(order).getFirst();
    }

    private static Seams at(Seam where, Runnable what) {
        return seam -> {
            if (seam == where) {
                what.run();
            }
        };
    }

    private static void killed() {
        throw new Killed();
    }

    private static void failed() {
        throw new Failed();
    }

    @Test
    void aPaymentIsTakenOnceAndGivenBackOnceHoweverOftenItIsCommanded() {
        assertThat(handle(DO)).isEqualTo(Participation.ACTED);
        assertThat(provider.handle(message(DO, 2))).isEqualTo(Participation.REPEATED);
        assertThat(handle(DO)).isEqualTo(Participation.DUPLICATE);
        assertThat(payment().refund()).isNull();

        assertThat(handle(UNDO)).isEqualTo(Participation.UNDONE);
        assertThat(provider.handle(message(UNDO, 2))).isEqualTo(Participation.REPEATED);
        assertThat(provider.handle(message(DO, 3))).isEqualTo(Participation.TOMBSTONED);

        assertThat(payment().refund()).isNotNull();
        assertThat(payment().refundKey()).isNotEqualTo(payment().idempotencyKey());
        assertThat(provider.desk.facts(order)).containsExactly("PaymentTaken.v1", "PaymentRefunded.v1");
        assertThat(provider.violations(
                        order,
                        Set.of(message(DO, 1), message(DO, 2), message(DO, 3), message(UNDO, 1), message(UNDO, 2))))
                .isEmpty();
    }

    @Test
    void whatTheProviderDeclinesIsRefusedForGood() {
        SIMULATOR.fault(order, Fault.reject("CARD_EXPIRED").on(Call.PAYMENT).times(1));

        assertThat(handle(DO)).isEqualTo(Participation.ACTED);
        assertThat(provider.handle(message(DO, 2))).isEqualTo(Participation.REPEATED);
        assertThat(handle(UNDO)).isEqualTo(Participation.NOT_NEEDED);

        assertThat(provider.desk.replies(order))
                .extracting(Told::outcome)
                .containsExactly(ReplyOutcome.REFUSED, ReplyOutcome.REFUSED, ReplyOutcome.SUCCEEDED);
        assertThat(provider.atProvider(order)).isEmpty();
    }

    @Test
    void ourOwnRefusalDoesNotReachTheProvider() {
        provider.desk.refuse(order, "payment");

        handle(DO);

        assertThat(provider.desk.replies(order))
                .containsExactly(new Told("order-saga", ReplyOutcome.REFUSED, "PaymentDeclined.v1"));
        assertThat(provider.atProvider(order)).isEmpty();
    }

    /** The money may be on its way, so a refusal would be a lie; what has been taken is recorded as taken. */
    @Test
    void ourOwnRefusalIsNoneAfterTheProviderWasAsked() {
        assertThatExceptionOfType(InTheAir.class).isThrownBy(() -> inTheAir(message(DO, 1)));
        provider.desk.refuse(order, "payment");
        assertThatExceptionOfType(UncertainPaymentException.class).isThrownBy(() -> provider.deliver(message(DO, 1)));
        provider.desk.accept(order, "payment");
        provider.arrive();
        provider.desk.refuse(order, "payment");

        handle(DO);

        assertThat(provider.desk.count("payment", order)).isEqualTo(1);
    }

    private void inTheAir(Message message) {
        provider.deliver(message, at(Seam.BEFORE_CALL, () -> {
            throw new InTheAir();
        }));
    }

    @Test
    void anUndoThatComesFirstAsksNobodyAndKeepsThePaymentFromEverHappening() {
        provider.deliver(message(UNDO, 1), seam -> assertThat(seam).isIn(Seam.LOOKED, Seam.RECORDED, Seam.COMMITTED));
        assertThat(handle(DO)).isEqualTo(Participation.TOMBSTONED);

        assertThat(provider.atProvider(order)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void anUndoWaitsWhileThePaymentIsUnderWay(Seam seam) {
        List<CommandResult> meanwhile = new ArrayList<>();
        provider.deliver(message(DO, 1), at(seam, () -> {
            // Within its transaction the row is locked: that is ParticipantIT's.
            if (seam != Seam.RECORDED) {
                meanwhile.add(provider.deliver(message(UNDO, 1)));
                meanwhile.add(provider.deliver(message(DO, 2)));
            }
        }));

        boolean met = List.of(Seam.LOOKED, Seam.BEFORE_CALL, Seam.AFTER_CALL).contains(seam);
        assertThat(meanwhile)
                .allSatisfy(result ->
                        assertThat(result instanceof CommandResult.InProgress).isEqualTo(met));
        handle(UNDO);
        provider.handle(message(DO, 2));
        assertThat(payment().refund()).isNotNull();
        assertThat(provider.violations(order, Set.of(message(DO, 1), message(DO, 2), message(UNDO, 1))))
                .isEmpty();
    }

    /** The provider is the only one who knows: the process has died with its answer. */
    @Test
    void anUndoAsksTheProviderAndRecordsWhatWasDone() {
        assertThatExceptionOfType(Killed.class)
                .isThrownBy(() -> provider.deliver(message(DO, 1), at(Seam.AFTER_CALL, ParticipantOutsideIT::killed)));

        assertThat(handle(UNDO)).isEqualTo(Participation.UNDONE);
        assertThat(handle(DO)).isEqualTo(Participation.TOMBSTONED);

        assertThat(provider.desk.facts(order)).containsExactly("PaymentTaken.v1", "PaymentRefunded.v1");
        assertThat(provider.desk.replies(order))
                .extracting(Told::outcome)
                .containsExactly(ReplyOutcome.SUCCEEDED, ReplyOutcome.TOMBSTONED);
        assertThat(payment().refund()).isNotNull();
    }

    /** It was given up, and the provider takes it a little later: until then that nothing is known says nothing. */
    @Test
    void anUndoDoesNotBelieveThatNothingIsKnownWhileACallMayBeUnderWay() {
        assertThatExceptionOfType(InTheAir.class).isThrownBy(() -> inTheAir(message(DO, 1)));

        assertThat(provider.deliver(message(UNDO, 1))).isInstanceOf(CommandResult.InProgress.class);
        assertThat(provider.deliver(message(DO, 1)))
                .as("nobody is charged who is to be refunded")
                .isInstanceOf(CommandResult.InProgress.class);
        assertThat(handle(UNDO)).isEqualTo(Participation.UNDONE);

        assertThat(payment().refund()).isNotNull();
    }

    @Test
    void aPaymentThatFailsIsTriedAgainAtOnceAndUnderTheSameKey() {
        assertThatExceptionOfType(Failed.class)
                .isThrownBy(() -> provider.deliver(message(DO, 1), at(Seam.AFTER_CALL, ParticipantOutsideIT::failed)));

        assertThat(provider.deliver(message(DO, 1))).isEqualTo(new CommandResult.Handled(Participation.ACTED));

        assertThat(provider.desk.count("payment", order)).isEqualTo(1);
        payment();
    }

    /** It stands still before its call for longer than its lease, and the undo has found nothing meanwhile. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLatePaymentIsTakenBackByWhoeverTookIt(boolean itsMessageWasHandledMeanwhile) {
        provider.deliver(message(DO, 1), at(Seam.BEFORE_CALL, () -> {
            provider.advance(PAST_THE_LEASE);
            assertThat(handle(UNDO)).isEqualTo(Participation.NOT_NEEDED);
            if (itsMessageWasHandledMeanwhile) {
                assertThat(handle(DO)).isEqualTo(Participation.TOMBSTONED);
            }
        }));

        assertThat(payment().refund()).isNotNull();
        assertThat(provider.desk.count("payment", order))
                .as("it never was one of the order's")
                .isZero();
        assertThat(provider.violations(order, Set.of(message(DO, 1), message(UNDO, 1))))
                .isEmpty();
    }

    @Test
    void aLatePaymentIsTakenBackByItsNextDeliveryWhereItsProcessIsGone() {
        assertThatExceptionOfType(Killed.class)
                .isThrownBy(() -> provider.deliver(message(DO, 1), seam -> {
                    if (seam == Seam.BEFORE_CALL) {
                        provider.advance(PAST_THE_LEASE);
                        handle(UNDO);
                    } else if (seam == Seam.AFTER_CALL) {
                        throw new Killed();
                    }
                }));
        assertThat(payment().refund()).isNull();

        assertThat(handle(DO)).isEqualTo(Participation.TOMBSTONED);

        assertThat(payment().refund()).isNotNull();
    }

    /** Paused between its lease and its call, it makes no call at all. */
    @Test
    void whoeverFindsItsLeaseOverBeforeTheCallLooksAgain() {
        boolean[] paused = {false};
        provider.deliver(message(DO, 1), at(Seam.LOOKED, () -> {
            if (!paused[0]) {
                paused[0] = true;
                provider.advance(PAST_THE_LEASE);
                handle(UNDO);
            }
        }));

        assertThat(provider.atProvider(order)).isEmpty();
    }

    @Test
    void aProviderThatDoesNotGiveBackIsAFailureAndNoAnswer() {
        handle(DO);
        SIMULATOR.fault(order, Fault.reject("CHARGEBACK").on(Call.REFUND).times(1));
        assertThatIllegalStateException()
                .isThrownBy(() -> provider.deliver(message(UNDO, 1)))
                .withMessageContaining("CHARGEBACK");

        assertThat(handle(UNDO)).isEqualTo(Participation.UNDONE);
        assertThat(payment().refund()).isNotNull();
    }

    @Test
    void aProviderThatCanNotSayLeavesTheUndoForLater() {
        assertThatExceptionOfType(Killed.class)
                .isThrownBy(() -> provider.deliver(message(DO, 1), at(Seam.AFTER_CALL, ParticipantOutsideIT::killed)));
        SIMULATOR.fault(order, Fault.unavailable(503).on(Call.PAYMENT_QUERY).times(2));
        provider.deliver(message(UNDO, 1));
        provider.advance(PAST_THE_LEASE);
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(UncertainPaymentException.class)
                    .isThrownBy(() -> provider.deliver(message(UNDO, 1)));
        }

        assertThat(provider.deliver(message(UNDO, 1)))
                .as("at once: the lease was given up")
                .isEqualTo(new CommandResult.Handled(Participation.UNDONE));
    }

    /** After the provider was configured away, or its routes were left out. */
    @Test
    void whatWasStartedOutsideIsNotForTheDatabaseAloneToSay() {
        assertThatExceptionOfType(Killed.class)
                .isThrownBy(() -> provider.deliver(message(DO, 1), at(Seam.AFTER_CALL, ParticipantOutsideIT::killed)));

        for (Direction direction : Direction.values()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> provider.desk.handle(order, "payment", direction, 1))
                    .withMessageContaining("was started outside");
        }
    }

    /** Payments from before there was a provider. */
    @Test
    void whatWasDoneInTheDatabaseIsUndoneThere() {
        provider.desk.act(order, "payment");

        assertThat(handle(UNDO)).isEqualTo(Participation.UNDONE);

        assertThat(provider.desk.count("refund", order)).isEqualTo(1);
        assertThat(provider.atProvider(order)).isEmpty();
    }

    @Test
    void theDatabaseKeepsThatAStepWasStarted() {
        assertThatExceptionOfType(Failed.class)
                .isThrownBy(() -> provider.deliver(message(DO, 1), at(Seam.AFTER_CALL, ParticipantOutsideIT::failed)));

        assertThatThrownBy(() -> provider.desk
                        .jdbc
                        .sql("UPDATE participant_op SET started_at = NULL, open_until = NULL WHERE saga_id = ?")
                        .param(OrderDesk.saga(order))
                        .update())
                .hasMessageContaining("can not be called unstarted");
    }
}
