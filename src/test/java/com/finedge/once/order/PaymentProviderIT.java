package com.finedge.once.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.contract.OrderPlaced;
import com.finedge.once.dev.CoreBankingSimulator;
import com.finedge.once.dev.Fault;
import com.finedge.once.dev.Fault.Call;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.Payment;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.saga.Phase;
import com.finedge.once.saga.Saga;
import com.finedge.once.saga.SagaOutcome;
import com.finedge.once.saga.SagaStore.Dossier;
import com.finedge.once.support.RunningOnce;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Orders whose payments are at a provider over HTTP, in the whole application: sagas, participants, queues. */
class PaymentProviderIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final PostgresServer.Database DATABASE = SERVICES.postgres().fresh();
    private static final OrderQueues QUEUES = OrderQueues.unique().createIn(SERVICES.sqs());
    private static final CoreBankingSimulator PROVIDER = CoreBankingSimulator.start(0);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** Longer than the provider may be silent, and shorter than the lease. */
    private static final Duration TOO_LONG = Duration.ofMillis(1_500);

    private static RunningOnce once;
    private static JdbcClient jdbc;

    private final String orderId = "O-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        Map<String, String> settings = new HashMap<>(SERVICES.properties());
        settings.putAll(DATABASE.properties());
        settings.putAll(QUEUES.properties());
        settings.put("once.roles", "order-saga,order-participants");
        settings.put("once.sagas.queue-prefix", QUEUES.prefix());
        settings.put("once.charges.back-off", "100ms");
        settings.put("once.charges.max-back-off", "200ms");
        settings.put("once.orders.payment-provider.url", PROVIDER.endpoint().toString());
        settings.put("once.orders.payment-provider.connect-timeout", "500ms");
        settings.put("once.orders.payment-provider.read-timeout", "500ms");
        settings.put("once.orders.payment-provider.lease", "3s");
        once = RunningOnce.start(settings);
        jdbc = JdbcClient.create(DATABASE.dataSource());
    }

    @AfterAll
    static void stop() {
        once.close();
        PROVIDER.close();
    }

    private Orders orders() {
        return once.bean(Orders.class);
    }

    private void place() {
        OrderRequest request =
                new OrderRequest(orderId, "C-1", "19.90", "EUR", List.of(new OrderPlaced.Item("SKU-1", 2)));
        assertThat(orders().place(request, null, null)).isInstanceOf(PlaceResult.Placed.class);
    }

    private void cancel() {
        assertThat(orders().cancel(orderId)).isEqualTo(CancelResult.ACCEPTED);
    }

    private SagaOutcome ended() {
        Dossier ended = await().atMost(LONGEST)
                .until(
                        () -> orders().saga(orderId),
                        saga -> saga.map(Dossier::saga).map(Saga::phase).equals(Optional.of(Phase.ENDED)))
                .orElseThrow();
        return Objects.requireNonNull(ended.saga().outcome());
    }

    private int count(String sql) {
        return jdbc.sql(sql).param(orderId).query(Integer.class).single();
    }

    private int payments() {
        return count("SELECT count(*) FROM payment WHERE order_id = ?");
    }

    private int refunds() {
        return count("SELECT count(*) FROM refund JOIN payment USING (payment_id) WHERE order_id = ?");
    }

    private Payment atProvider() {
        assertThat(PROVIDER.payments(orderId)).hasSize(1);
        return PROVIDER.payments(orderId).getFirst();
    }

    /** Until the provider was asked, and its caller has given up at least once. */
    private void awaitGivenUp() {
        await().atMost(LONGEST).until(() -> count("""
                        SELECT count(*) FROM participant_op JOIN saga_instance USING (saga_id)
                        WHERE business_key = ? AND step = 'payment' AND open_until IS NOT NULL AND owner IS NULL""") == 1);
    }

    @Test
    void anOrderIsPaidAtTheProvider() {
        place();

        assertThat(ended()).isEqualTo(SagaOutcome.COMPLETED);
        assertThat(atProvider().amount()).isEqualTo("19.90");
        assertThat(atProvider().refund()).isNull();
        assertThat(payments()).isEqualTo(1);
    }

    @Test
    void aDeclinedPaymentCancelsItsOrder() {
        PROVIDER.fault(orderId, Fault.reject("CARD_EXPIRED").on(Call.PAYMENT));
        place();

        assertThat(ended()).isEqualTo(SagaOutcome.CANCELLED);
        assertThat(PROVIDER.payments(orderId)).isEmpty();
        assertThat(payments()).isZero();
    }

    @Test
    void aProviderThatIsOutOfOrderForAWhileChargesOnce() {
        PROVIDER.fault(orderId, Fault.unavailable(503).on(Call.PAYMENT).times(2));
        place();

        assertThat(ended()).isEqualTo(SagaOutcome.COMPLETED);
        atProvider();
    }

    /** The money moves, and nobody hears of it before the order is cancelled. */
    @Test
    void anOrderWhoseProviderIsSilentAfterTakingTheMoneyIsRefundedWhenItIsCancelled() {
        PROVIDER.fault(orderId, Fault.timeoutAfter().on(Call.PAYMENT).delayedBy(TOO_LONG));
        place();
        awaitGivenUp();
        cancel();

        assertThat(ended()).isEqualTo(SagaOutcome.CANCELLED);
        assertThat(atProvider().refund()).isNotNull();
        assertThat(payments()).isEqualTo(1);
        assertThat(refunds()).isEqualTo(1);
    }

    /** The money moves after its caller has given up, and after the order is cancelled. */
    @Test
    void anOrderWhoseProviderTakesTheMoneyLateIsRefundedWhenItIsCancelled() {
        PROVIDER.fault(orderId, Fault.slow(TOO_LONG).on(Call.PAYMENT));
        place();
        awaitGivenUp();
        cancel();

        assertThat(ended()).isEqualTo(SagaOutcome.CANCELLED);
        assertThat(atProvider().refund()).isNotNull();
        assertThat(refunds()).isEqualTo(payments());
    }

    @Test
    void anOrderWhoseProviderNeverGotTheRequestIsNotChargedWhenItIsCancelled() {
        PROVIDER.fault(orderId, Fault.timeoutBefore().on(Call.PAYMENT).delayedBy(TOO_LONG));
        place();
        awaitGivenUp();
        cancel();

        assertThat(ended()).isEqualTo(SagaOutcome.CANCELLED);
        assertThat(PROVIDER.payments(orderId)).isEmpty();
        assertThat(payments()).isZero();
    }

    /** Asked again under the key of the refund. */
    @Test
    void aRefundWhoseAnswerGetsLostIsMadeOnce() {
        PROVIDER.fault(orderId, Fault.timeoutAfter().on(Call.PAYMENT).delayedBy(TOO_LONG));
        PROVIDER.fault(
                orderId,
                Fault.timeoutAfter().on(Call.REFUND).delayedBy(TOO_LONG).times(1));
        place();
        awaitGivenUp();
        cancel();

        assertThat(ended()).isEqualTo(SagaOutcome.CANCELLED);
        assertThat(atProvider().refund()).isNotNull();
        assertThat(refunds()).isEqualTo(1);
    }
}
