package com.finedge.once.order;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.finedge.once.claim.Fingerprint;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.InvalidMessageException.Code;
import com.finedge.once.contract.OrderPlaced;
import com.finedge.once.contract.SagaNotice;
import com.finedge.once.outbox.Outbox;
import com.finedge.once.outbox.OutboxMessage;
import com.finedge.once.saga.ForwardStatus;
import com.finedge.once.saga.Phase;
import com.finedge.once.saga.Saga;
import com.finedge.once.saga.SagaDefinition;
import com.finedge.once.saga.SagaIds;
import com.finedge.once.saga.SagaOutcome;
import com.finedge.once.saga.SagaStore.Dossier;
import com.finedge.once.saga.Sagas;
import com.finedge.once.saga.StepDefinition;
import com.finedge.once.saga.StepKind;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Places orders and takes wishes to cancel them. What is placed and what starts its saga commit together; so do a wish and
 * what carries it to the saga.
 */
public final class Orders {

    private static final String SOURCE = "orders";

    /** W3C Trace Context. */
    private static final Pattern TRACEPARENT =
            Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

    private final PlacedOrders placed;
    private final Sagas sagas;
    private final SagaDefinition definition;
    private final Outbox outbox;
    private final String sagaQueue;
    private final String eventsQueue;
    private final Function<SagaNotice, String> writer;
    private final InstantSource clock;

    /**
     * @param definition the newest of the saga that an order starts
     * @param sagaQueue the name of the queue that brings it there
     * @param eventsQueue the name of the queue that tells everyone
     */
    public Orders(
            PlacedOrders placed,
            Sagas sagas,
            SagaDefinition definition,
            Outbox outbox,
            String sagaQueue,
            String eventsQueue,
            Function<SagaNotice, String> writer,
            InstantSource clock) {
        this.placed = placed;
        this.sagas = sagas;
        this.definition = definition;
        this.outbox = outbox;
        this.sagaQueue = sagaQueue;
        this.eventsQueue = eventsQueue;
        this.writer = writer;
        this.clock = clock;
    }

    /**
     * Places an order, unless this request has done so before. An order without an id of its own is named by the request's
     * key, so that neither needs to be remembered beside the order.
     *
     * @param key names the request, the same whenever it is sent again
     * @param traceparent goes along if it is a valid one
     * @throws InvalidMessageException if the order isn't valid, or nothing names it
     */
    public PlaceResult place(OrderRequest request, @Nullable String key, @Nullable String traceparent) {
        OrderPlaced order = request.placed(id(request, key));
        Fingerprint fingerprint = OrderRequest.fingerprint(order);
        return placed.inTransaction(() -> {
            if (!placed.add(order, fingerprint)) {
                boolean same =
                        placed.find(order.orderId()).filter(fingerprint::equals).isPresent();
                return same ? new PlaceResult.Placed(order.orderId()) : new PlaceResult.OtherContent(order.orderId());
            }
            Optional<String> context = Optional.ofNullable(traceparent)
                    .filter(text -> TRACEPARENT.matcher(text).matches());
            outbox.addAll(List.of(
                    message("placed", sagaQueue, order.orderId(), OrderPlaced.TYPE, context, order.data()),
                    message("placed-fact", eventsQueue, order.orderId(), OrderPlaced.TYPE, context, order.data())));
            return new PlaceResult.Placed(order.orderId());
        });
    }

    private static String id(OrderRequest request, @Nullable String key) {
        if (request.orderId() != null) {
            return request.orderId();
        }
        if (key == null) {
            throw new InvalidMessageException(
                    Code.MISSING_FIELD, "orderId", "is required unless the header Idempotency-Key names the request");
        }
        return "ORD-" + UUID.nameUUIDFromBytes(("idempotency-key\n" + key).getBytes(UTF_8));
    }

    /** Asks the order's saga to turn back. */
    public CancelResult cancel(String orderId) {
        if (placed.find(orderId).isEmpty()) {
            return CancelResult.UNKNOWN;
        }
        String type = definition.cancelType();
        if (type == null
                || saga(orderId).map(Dossier::saga).filter(this::isDecided).isPresent()) {
            return CancelResult.TOO_LATE;
        }
        return placed.inTransaction(() -> {
            if (placed.requestCancel(orderId)) {
                outbox.add(message(
                        "cancel-requested", sagaQueue, orderId, type, Optional.empty(), Map.of("orderId", orderId)));
            }
            return CancelResult.ACCEPTED;
        });
    }

    /** Whether the pivot is done, and nothing turns back any more. */
    private boolean isDecided(Saga saga) {
        return saga.outcome() == SagaOutcome.COMPLETED
                || (saga.phase() == Phase.FORWARD
                        && definition.steps().stream()
                                .filter(step -> step.kind() == StepKind.PIVOT)
                                .map(StepDefinition::name)
                                .flatMap(name -> saga.find(name).stream())
                                .anyMatch(step -> step.forward() == ForwardStatus.SUCCEEDED));
    }

    /** Whether an order of this id was placed. */
    public boolean isPlaced(String orderId) {
        return placed.find(orderId).isPresent();
    }

    /** The order's saga; none before it has started. */
    public Optional<Dossier> saga(String orderId) {
        return sagas.find(SagaIds.saga(definition.name(), orderId));
    }

    private OutboxMessage message(
            String what,
            String queue,
            String orderId,
            String type,
            Optional<String> traceparent,
            Map<String, Object> data) {
        String id = UUID.nameUUIDFromBytes(
                        String.join("\n", "order", orderId, what).getBytes(UTF_8))
                .toString();
        Map<String, String> attributes = new HashMap<>(Map.of("type", type));
        traceparent.ifPresent(context -> attributes.put("traceparent", context));
        return new OutboxMessage(
                id,
                queue,
                writer.apply(new SagaNotice(id, type, SOURCE, clock.instant(), orderId, traceparent, data)),
                null,
                attributes);
    }
}
