package com.finedge.once.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.finedge.once.claim.Fingerprint;
import com.finedge.once.saga.SagaBuilder.StepBuilder;
import com.finedge.once.saga.Timeout.Then;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DefinitionsTest {

    private static final Map<String, String> ORDER_ID = Map.of("orderId", "${data.orderId}");

    static SagaBuilder smallest(String name, int version) {
        return SagaDefinition.named(name, version)
                .replyTo("answers")
                .startedBy("Begun.v1", "${data.orderId}")
                .remember("orderId", "${data.orderId}")
                .completed(new MessageTemplate("events", "Completed.v1", ORDER_ID))
                .cancelled(new MessageTemplate("events", "Cancelled.v1", ORDER_ID))
                .cannotBeCancelled(new MessageTemplate("events", "Stays.v1", ORDER_ID))
                .step("first", StepKind.COMPENSATABLE, DefinitionsTest::usual);
    }

    /** A saga whose one step is its pivot. */
    static SagaDefinition loneParcel() {
        SagaBuilder saga = smallest("parcel", 1);
        saga.steps.clear();
        return saga.step(
                        "send",
                        StepKind.PIVOT,
                        step -> step.action(new MessageTemplate("commands", "Do.v1", ORDER_ID))
                                .undo(new MessageTemplate("commands", "Undo.v1", ORDER_ID))
                                .timeout(Duration.ofMinutes(2)))
                .build();
    }

    private static void usual(StepBuilder step) {
        step.action(new MessageTemplate("commands", "Do.v1", ORDER_ID))
                .remember("doneId", "${reply.id}")
                .undo(new MessageTemplate("commands", "Undo.v1", ORDER_ID))
                .timeout(Duration.ofMinutes(2));
    }

    private static SagaBuilder order() {
        return SagaDefinition.named("order-fulfilment", 1)
                .replyTo("order-saga")
                .startedBy("OrderPlaced.v1", "${data.orderId}")
                .remember("items", "${data.items}")
                .remember("orderId", "${data.orderId}")
                .remember("customerId", "${data.customerId}")
                .remember("amount", "${data.amount}")
                .remember("currency", "${data.currency}")
                .cancelledBy("OrderCancelRequested.v1")
                .completed(new MessageTemplate("order-events", "OrderCompleted.v1", ORDER_ID))
                .cancelled(new MessageTemplate("order-events", "OrderCancelled.v1", ORDER_ID))
                .cannotBeCancelled(new MessageTemplate("order-events", "OrderCannotBeCancelled.v1", ORDER_ID))
                .step(
                        "payment",
                        StepKind.COMPENSATABLE,
                        step -> step.action(new MessageTemplate(
                                        "payment-commands",
                                        "TakePayment.v1",
                                        data("orderId", "customerId", "amount", "currency")))
                                .remember("paymentId", "${reply.paymentId}")
                                .undo(new MessageTemplate(
                                        "payment-commands", "RefundPayment.v1", data("orderId", "amount", "currency")))
                                .timeout(Duration.ofMinutes(2))
                                .resend(3, Then.COMPENSATE)
                                .stateWhileUndoing("PAYMENT_REFUND_PENDING"))
                .step(
                        "stock",
                        StepKind.COMPENSATABLE,
                        step -> step.action(new MessageTemplate(
                                        "inventory-commands", "ReserveStock.v1", data("orderId", "items")))
                                .remember("reservationId", "${reply.reservationId}")
                                .undo(new MessageTemplate("inventory-commands", "ReleaseStock.v1", ORDER_ID))
                                .timeout(Duration.ofMinutes(2))
                                .resend(3, Then.COMPENSATE)
                                .stateWhileUndoing("STOCK_RELEASE_PENDING"))
                .step(
                        "shipping",
                        StepKind.PIVOT,
                        step -> step.action(new MessageTemplate(
                                        "shipping-commands",
                                        "ArrangeShipping.v1",
                                        data("orderId", "customerId", "reservationId")))
                                .remember("shipmentId", "${reply.shipmentId}")
                                .undo(new MessageTemplate("shipping-commands", "CancelShipment.v1", ORDER_ID))
                                .timeout(Duration.ofMinutes(2))
                                .resend(3, Then.COMPENSATE)
                                .stateWhileUndoing("SHIPPING_CANCEL_PENDING"))
                .step(
                        "confirm",
                        StepKind.RETRIABLE,
                        step -> step.action(new MessageTemplate(
                                        "order-commands",
                                        "ConfirmOrder.v1",
                                        data("orderId", "paymentId", "shipmentId")))
                                .timeout(Duration.ofMinutes(2)));
    }

    private static Map<String, String> data(String... names) {
        Map<String, String> data = new HashMap<>();
        for (String name : names) {
            data.put(name, "${data." + name + "}");
        }
        return data;
    }

    private static List<DefinitionProblem> problemsOf(SagaBuilder saga) {
        return catchThrowableOfType(InvalidDefinitionException.class, saga::build)
                .problems();
    }

    private static Fingerprint with(Consumer<SagaBuilder> change) {
        SagaBuilder saga = smallest("some", 1);
        change.accept(saga);
        return saga.build().checksum();
    }

    @Test
    void javaMakesTheSameAsTheFile() {
        assertThat(order().build().checksum()).isEqualTo(Orders.DEFINITION.checksum());
        assertThat(order().build()).isEqualTo(Orders.DEFINITION);
    }

    /** A change of the canonical form would look like a change of every published definition. */
    @Test
    void theChecksumOfTheShippedVersionNeverChanges() {
        assertThat(Orders.DEFINITION.checksum().value())
                .isEqualTo("ace913d94e311372ece2d49f71b2b2819c290aaae030c200822e6242fe2fc195");
    }

    @Test
    void theChecksumIsOfTheWholeContentAndNothingElse() {
        Consumer<SagaBuilder> second = saga -> saga.step(
                "second",
                StepKind.RETRIABLE,
                step -> step.action(new MessageTemplate("commands", "More.v1", Map.of()))
                        .timeout(Duration.ofMinutes(1)));
        List<Consumer<SagaBuilder>> changes = List.of(
                saga -> {},
                saga -> saga.replyTo("others"),
                saga -> saga.startedBy("Begun.v2", "${data.orderId}"),
                saga -> saga.startedBy("Begun.v1", "${data.key}"),
                saga -> saga.remember("more", "${data.more}"),
                saga -> saga.remember("more", new Remembered("${data.more}", "")),
                saga -> saga.remember("more", new Remembered("${data.more}", "-")),
                saga -> saga.cancelledBy("Stop.v1"),
                saga -> saga.completed(new MessageTemplate("events", "Completed.v2", ORDER_ID)),
                saga -> saga.cancelled(new MessageTemplate("events", "Cancelled.v2", ORDER_ID)),
                saga -> saga.cannotBeCancelled(new MessageTemplate("events", "Stays.v2", ORDER_ID)),
                second,
                second.andThen(saga -> saga.steps.getLast().resend(4, Then.HOLD)),
                saga -> saga.steps.getFirst().resend(3, Then.COMPENSATE),
                saga -> saga.steps.getFirst().timeout(Duration.ofMinutes(3)),
                saga -> saga.steps.getFirst().stateWhileWaiting("X"),
                saga -> saga.steps.getFirst().stateWhileUndoing("X"),
                saga -> saga.steps.getFirst().remember("moreId", "${reply.id}"),
                saga -> saga.steps.getFirst().action(new MessageTemplate("other", "Do.v1", ORDER_ID)),
                saga -> saga.steps.getFirst().action(new MessageTemplate("commands", "Do.v1", Map.of())),
                saga -> saga.steps.getFirst().undo(new MessageTemplate("commands", "Undo.v1", Map.of())));

        assertThat(changes.stream().map(DefinitionsTest::with)).hasSize(21).doesNotHaveDuplicates();
        assertThat(with(saga -> saga.from("elsewhere"))).isEqualTo(with(saga -> {}));
        assertThat(smallest("some", 2).build().checksum()).isNotEqualTo(with(saga -> {}));
        assertThat(smallest("other", 1).build().checksum()).isNotEqualTo(with(saga -> {}));
    }

    @Test
    void aPublishedVersionWithOtherContentIsAProblem() {
        SagaDefinition changed =
                smallest("some", 1).from("some.v1.yaml").replyTo("others").build();

        assertThat(changed.changesSince(changed.checksum())).isEmpty();
        assertThat(changed.changesSince(with(saga -> {}))).singleElement().satisfies(problem -> {
            assertThat(problem.rule()).isEqualTo(DefinitionRule.VERSION_IMMUTABLE);
            assertThat(problem.toString())
                    .startsWith("some.v1.yaml: version 1 of some")
                    .endsWith("version 2");
        });
    }

    @Test
    void queuesThatAreNotThereAreNamedWithTheirStep() {
        SagaDefinition some = smallest("some", 1).from("some.v1.yaml").build();

        assertThat(some.unknownQueues(Set.of("answers", "events", "commands")::contains))
                .isEmpty();
        assertThat(some.unknownQueues(queue -> false))
                .extracting(DefinitionProblem::toString)
                .containsExactly(
                        "some.v1.yaml: there is no queue answers",
                        "some.v1.yaml: there is no queue events",
                        "some.v1.yaml, step first: there is no queue commands");
    }

    @Test
    void allProblemsAreSaidAtOnce() {
        SagaBuilder saga = smallest("some", 0)
                .step("first", StepKind.COMPENSATABLE, DefinitionsTest::usual)
                .step("last", StepKind.PIVOT, step -> step.action(new MessageTemplate("commands", "Do.v1", Map.of())));

        assertThat(problemsOf(saga))
                .extracting(DefinitionProblem::rule)
                .containsExactlyInAnyOrder(
                        DefinitionRule.NAMES,
                        DefinitionRule.STEP_NAMES_UNIQUE,
                        DefinitionRule.REMEMBERED_ONCE,
                        DefinitionRule.UNDO_DECLARED,
                        DefinitionRule.TIMEOUT_PRESENT);
    }

    @Test
    void anUndoMayUseWhatEarlierStepsBroughtAndWhatHasAValueInAnyCase() {
        List<String> fields = new ArrayList<>();
        SagaDefinition some = smallest("some", 1)
                .step(
                        "second",
                        StepKind.COMPENSATABLE,
                        step -> step.action(new MessageTemplate("commands", "Do.v1", Map.of()))
                                .remember("secondId", new Remembered("${reply.id}", "unknown"))
                                .undo(new MessageTemplate(
                                        "commands", "Undo.v1", Map.of("a", "${data.doneId}", "b", "${data.secondId}")))
                                .timeout(Duration.ofMinutes(1)))
                .build();
        MessageTemplate undo = some.step("second").undo();
        if (undo != null) {
            fields.addAll(undo.data().keySet());
        }

        assertThat(fields).containsExactlyInAnyOrder("a", "b");
        assertThat(Orders.started(some).saga().data().values()).containsEntry("secondId", "unknown");
    }
}
