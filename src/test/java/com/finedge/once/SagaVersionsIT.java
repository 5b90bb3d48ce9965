package com.finedge.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.finedge.once.camel.FraudSteps;
import com.finedge.once.contract.OrderPlaced;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.OrderQueues;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.order.OrderPolicy;
import com.finedge.once.order.OrderRequest;
import com.finedge.once.order.Orders;
import com.finedge.once.order.PlaceResult;
import com.finedge.once.order.Refusal;
import com.finedge.once.saga.Phase;
import com.finedge.once.saga.Saga;
import com.finedge.once.saga.SagaOutcome;
import com.finedge.once.saga.SagaStore.Dossier;
import com.finedge.once.saga.SagaStore.Happened;
import com.finedge.once.support.RunningOnce;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Orders under way by two versions of their saga, the second with the step that docs/sagas.md adds. */
class SagaVersionsIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static final Path ADDED = Path.of("src/test/resources/fraud-check");
    private static final Path FIRST = Path.of("src/main/resources/sagas/order-fulfilment.v1.yaml");
    private static final Path SECOND = ADDED.resolve("order-fulfilment.v2.yaml");

    private static final String SAGA = "order-saga";
    private static final String SAGA_AND_PARTICIPANTS = "order-saga,order-participants";

    @TempDir
    private Path folder;

    private final PostgresServer.Database database = SERVICES.postgres().fresh();
    private final JdbcClient jdbc = JdbcClient.create(database.dataSource());
    private final OrderQueues queues = OrderQueues.unique().createIn(SERVICES.sqs());

    @BeforeEach
    void createTheQueueOfTheAddedStep() {
        SERVICES.sqs().createQueue(request -> request.queueName(queues.prefix() + "fraud-commands"));
    }

    /** What a team brings beside its routes and definition, and an order of which the shipping is refused. */
    static final class Beans {

        @Bean
        FraudSteps fraud() {
            return new FraudSteps(new BigDecimal("1000"), UUID::randomUUID);
        }

        @Bean
        @Primary
        OrderPolicy refusing() {
            return new OrderPolicy() {
                @Override
                public Optional<Refusal> refusesShipping(String orderId, String customerId) {
                    return orderId.equals("O-unshippable")
                            ? Optional.of(new Refusal("NO_SUCH_ADDRESS"))
                            : Optional.empty();
                }
            };
        }
    }

    private RunningOnce pod(String roles, Path... definitions) {
        Map<String, String> settings = new HashMap<>(SERVICES.properties());
        settings.putAll(database.properties());
        settings.putAll(queues.properties());
        settings.put("once.roles", roles);
        settings.put("once.sagas.queue-prefix", queues.prefix());
        settings.put("once.sagas.definitions", "file:" + folderOf(definitions) + "/*.yaml");
        settings.put("once.charges.back-off", "1s");
        settings.put("once.charges.max-back-off", "1s");
        settings.put(
                "once.routes",
                folderOf(
                                ADDED.resolve("fraud-check-participant.camel.yaml"),
                                ADDED.resolve("check-fraud.camel.yaml"),
                                ADDED.resolve("withdraw-fraud-check.camel.yaml"))
                        .toString());
        return RunningOnce.start(settings, Beans.class);
    }

    private Path folderOf(Path... definitions) {
        try {
            Path some = Files.createTempDirectory(folder, "sagas");
            for (Path definition : definitions) {
                Files.copy(definition, some.resolve(definition.getFileName()));
            }
            return some;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void place(RunningOnce pod, String orderId, String amount) {
        OrderRequest request =
                new OrderRequest(orderId, "C-1", amount, "EUR", List.of(new OrderPlaced.Item("SKU-1", 2)));
        assertThat(pod.bean(Orders.class).place(request, null, null)).isInstanceOf(PlaceResult.Placed.class);
    }

    private static Dossier started(RunningOnce pod, String orderId) {
        return await().atMost(LONGEST)
                .until(() -> pod.bean(Orders.class).saga(orderId), Optional::isPresent)
                .orElseThrow();
    }

    private static Dossier ended(RunningOnce pod, String orderId) {
        return await().atMost(LONGEST)
                .until(
                        () -> pod.bean(Orders.class).saga(orderId),
                        saga -> saga.map(Dossier::saga).map(Saga::phase).equals(Optional.of(Phase.ENDED)))
                .orElseThrow();
    }

    private static List<String> states(Dossier dossier) {
        return dossier.history().stream().map(Happened::state).distinct().toList();
    }

    /** What the participant of the step has answered: to its action, and to its undo. */
    private List<Map<String, Object>> answersOf(Dossier dossier, String step) {
        return jdbc.sql("SELECT fwd_type, comp_type FROM participant_op WHERE saga_id = ? AND step = ?")
                .params(dossier.saga().id(), step)
                .query()
                .listOfRows();
    }

    @Test
    void anOrderEndsByTheVersionItHasStartedWithAndNewOnesTakeTheNewWay() {
        try (RunningOnce first = pod(SAGA, FIRST)) {
            place(first, "O-old", "19.90");
            assertThat(started(first, "O-old").saga().state()).isEqualTo("PAYMENT_PENDING");
        }
        try (RunningOnce both = pod(SAGA_AND_PARTICIPANTS, FIRST, SECOND)) {
            place(both, "O-new", "19.90");

            Dossier old = ended(both, "O-old");
            assertThat(old.saga().definitionVersion()).isEqualTo(1);
            assertThat(states(old))
                    .containsExactly(
                            "PAYMENT_PENDING", "STOCK_PENDING", "SHIPPING_PENDING", "CONFIRM_PENDING", "COMPLETED");
            assertThat(answersOf(old, "fraud-check")).isEmpty();

            Dossier fresh = ended(both, "O-new");
            assertThat(fresh.saga().definitionVersion()).isEqualTo(2);
            assertThat(states(fresh))
                    .containsExactly(
                            "PAYMENT_PENDING",
                            "FRAUD_CHECK_PENDING",
                            "STOCK_PENDING",
                            "SHIPPING_PENDING",
                            "CONFIRM_PENDING",
                            "COMPLETED");
            assertThat(answersOf(fresh, "fraud-check"))
                    .singleElement()
                    .satisfies(answers -> assertThat(answers)
                            .containsEntry("fwd_type", "FraudCheckPassed.v1")
                            .containsEntry("comp_type", null));
            assertThat(fresh.saga().data().values()).containsKey("fraudCheckId");
        }
    }

    @Test
    void aQueueOfAnAddedParticipantThatIsNotThereIsRefused() {
        SERVICES.sqs()
                .deleteQueue(request -> request.queueUrl(SERVICES.sqs()
                        .getQueueUrl(name -> name.queueName(queues.prefix() + "fraud-commands"))
                        .queueUrl()));

        assertThatThrownBy(() -> pod("order-participants", FIRST).close())
                .hasStackTraceContaining("StartRefusedException: route fraud-check-participant: there is no queue "
                        + queues.prefix() + "fraud-commands");
    }

    @Test
    void theWayBackOfTheNewVersionTakesTheAddedStepAlong() {
        try (RunningOnce both = pod(SAGA_AND_PARTICIPANTS, FIRST, SECOND)) {
            place(both, "O-unshippable", "19.90");
            place(both, "O-suspected", "1000.01");

            Dossier unshippable = ended(both, "O-unshippable");
            assertThat(unshippable.saga().outcome()).isEqualTo(SagaOutcome.CANCELLED);
            assertThat(states(unshippable))
                    .containsExactly(
                            "PAYMENT_PENDING",
                            "FRAUD_CHECK_PENDING",
                            "STOCK_PENDING",
                            "SHIPPING_PENDING",
                            "STOCK_RELEASE_PENDING",
                            "FRAUD_CHECK_WITHDRAWAL_PENDING",
                            "PAYMENT_REFUND_PENDING",
                            "CANCELLED");
            assertThat(answersOf(unshippable, "fraud-check"))
                    .singleElement()
                    .satisfies(answers -> assertThat(answers)
                            .containsEntry("fwd_type", "FraudCheckPassed.v1")
                            .containsEntry("comp_type", "FraudCheckWithdrawn.v1"));

            Dossier suspected = ended(both, "O-suspected");
            assertThat(states(suspected))
                    .containsExactly("PAYMENT_PENDING", "FRAUD_CHECK_PENDING", "PAYMENT_REFUND_PENDING", "CANCELLED");
            assertThat(answersOf(suspected, "fraud-check"))
                    .singleElement()
                    .satisfies(answers -> assertThat(answers)
                            .containsEntry("fwd_type", "FraudSuspected.v1")
                            .containsEntry("comp_type", null));
            assertThat(answersOf(suspected, "stock")).isEmpty();
        }
    }

    @Test
    void aPodThatLacksAVersionLeavesItsMessagesToOthersAndSaysSo() {
        try (RunningOnce both = pod(SAGA, FIRST, SECOND)) {
            place(both, "O-new", "19.90");
            assertThat(started(both, "O-new").saga().definitionVersion()).isEqualTo(2);
        }
        try (RunningOnce lacking = pod(SAGA_AND_PARTICIPANTS, FIRST)) {
            await().atMost(LONGEST).until(() -> failedDeliveries(lacking) > 0);

            assertThat(answersOf(started(lacking, "O-new"), "payment"))
                    .as("the answer that it can't apply")
                    .hasSize(1);
            assertThat(states(started(lacking, "O-new"))).containsExactly("PAYMENT_PENDING");
            assertThat(health(lacking).health())
                    .satisfies(health -> assertThat(health.getStatus()).isEqualTo(Status.DOWN))
                    .satisfies(health -> assertThat(health.getDetails())
                            .containsEntry("unknown here", List.of("order-fulfilment version 2")));

            try (RunningOnce both = pod(SAGA_AND_PARTICIPANTS, FIRST, SECOND)) {
                assertThat(ended(both, "O-new").saga().outcome()).isEqualTo(SagaOutcome.COMPLETED);
            }
            assertThat(health(lacking).health().getStatus()).isEqualTo(Status.UP);
        }
    }

    private static double failedDeliveries(RunningOnce pod) {
        return pod.bean(MeterRegistry.class).find(MeterNames.FAILED_DELIVERIES).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private static HealthIndicator health(RunningOnce pod) {
        return pod.bean("sagaDefinitionsHealthIndicator", HealthIndicator.class);
    }

    @Test
    void theSameVersionWithOtherContentIsRefusedWithItsFileAndVersion() throws IOException {
        pod(SAGA, FIRST, SECOND).close();
        Path other = folder.resolve("order-fulfilment.v2.yaml");
        Files.writeString(other, Files.readString(SECOND).replace("FraudCheck.v1", "FraudCheck.v2"));

        assertThatThrownBy(() -> pod(SAGA, FIRST, other).close())
                .hasStackTraceContaining(
                        "order-fulfilment.v2.yaml: version 2 of order-fulfilment was published with other"
                                + " content, and sagas are under way by it: make this version 3");
    }
}
