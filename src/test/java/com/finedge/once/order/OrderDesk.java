package com.finedge.once.order;

import static com.finedge.once.saga.Direction.DO;

import com.finedge.once.adapter.postgres.PostgresInbox;
import com.finedge.once.adapter.postgres.PostgresOrderFacts;
import com.finedge.once.adapter.postgres.PostgresOutbox;
import com.finedge.once.adapter.postgres.PostgresParticipantStore;
import com.finedge.once.charge.Money;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.inbox.Inbox;
import com.finedge.once.outbox.OutboxMessage;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.Answer;
import com.finedge.once.saga.CommandResult;
import com.finedge.once.saga.Direction;
import com.finedge.once.saga.OutsideAnswer;
import com.finedge.once.saga.OutsideEffects;
import com.finedge.once.saga.Participant;
import com.finedge.once.saga.ParticipantStore;
import com.finedge.once.saga.Participation;
import com.finedge.once.saga.ReplyOutcome;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.SagaIds;
import com.finedge.once.saga.StepEffects;
import com.finedge.once.saga.UndoResult;
import com.finedge.once.support.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The participants of orders on a database, without queues: a test hands them commands and looks at what is told. */
final class OrderDesk implements OrderPolicy {

    /** An answer as it went into the outbox. */
    record Told(String to, ReplyOutcome outcome, String type) {}

    /** How long an owner has a step with an effect outside. */
    static final Duration LEASE = Duration.ofSeconds(60);

    private final PostgresOutbox outbox;
    private final Inbox inbox;
    private final ParticipantStore store;
    private final Participant participant;
    final SettableClock clock = new SettableClock();
    private final Payments payments;
    private final Inventory inventory;
    private final Shipping shipping;
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    final JdbcClient jdbc;

    OrderDesk(PostgresServer.Database database) {
        this(database.dataSource(), store -> store);
    }

    OrderDesk(DataSource dataSource, UnaryOperator<ParticipantStore> mutation) {
        jdbc = JdbcClient.create(dataSource);
        outbox = new PostgresOutbox(dataSource);
        var transactions = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
        inbox = new PostgresInbox(jdbc, transactions, (consumer, isNew) -> {});
        store = mutation.apply(new PostgresParticipantStore(jdbc, transactions, clock));
        participant = participant(store);
        var facts = new PostgresOrderFacts(dataSource);
        payments = new Payments(this, facts, clock, UUID::randomUUID);
        inventory = new Inventory(this, facts, clock, UUID::randomUUID);
        shipping = new Shipping(this, facts, clock, UUID::randomUUID);
    }

    private Participant participant(ParticipantStore withStore) {
        return new Participant(inbox, withStore, clock, UUID::randomUUID, LEASE);
    }

    static UUID saga(String orderId) {
        return SagaIds.saga("order-fulfilment", orderId);
    }

    /** Lets a step of an order be refused. */
    void refuse(String orderId, String step) {
        refused.add(orderId + "/" + step);
    }

    /** Would let it pass again. */
    void accept(String orderId, String step) {
        refused.remove(orderId + "/" + step);
    }

    Participation handle(String orderId, String step, Direction direction, int attempt) {
        return handle(orderId, step, direction, attempt, effects -> effects);
    }

    /** @param around what else happens to the effects */
    Participation handle(
            String orderId, String step, Direction direction, int attempt, UnaryOperator<StepEffects> around) {
        return participant.handle(
                "%s/%s/%s/%s".formatted(orderId, step, direction, attempt),
                saga(orderId),
                step,
                direction,
                around.apply(effects(orderId, step)),
                (answer, replyId, factId) -> tell(orderId, direction, answer, replyId, factId));
    }

    /**
     * Handles a command for a payment at a provider.
     *
     * @param mutation what else happens to the store
     * @param around what else happens to the effects
     */
    CommandResult handle(
            String orderId,
            Direction direction,
            int attempt,
            PaymentProvider provider,
            UnaryOperator<ParticipantStore> mutation,
            UnaryOperator<OutsideEffects> around) {
        return participant(mutation.apply(store))
                .handle(
                        "%s/payment/%s/%s".formatted(orderId, direction, attempt),
                        saga(orderId),
                        "payment",
                        direction,
                        around.apply(outside(orderId, direction, provider)),
                        (answer, replyId, factId) -> tell(orderId, direction, answer, replyId, factId));
    }

    private OutsideEffects outside(String orderId, Direction direction, PaymentProvider provider) {
        ProviderPayments atProvider = new ProviderPayments(this, provider);
        // An undo carries other data than its action.
        SagaData command = direction == DO ? command(orderId) : new SagaData(Map.of("orderId", orderId));
        return new OutsideEffects() {
            @Override
            public SagaData commanded() {
                return command;
            }

            @Override
            public ActionResult actLate(OutsideAnswer.Done answer, SagaData commanded) {
                return payments.take(saga(orderId), commanded, answer);
            }

            @Override
            public OutsideAnswer call(String key, boolean again) {
                return atProvider.charge(key, again, command);
            }

            @Override
            public OutsideAnswer ask(String key) {
                return atProvider.find(key);
            }

            @Override
            public OutsideAnswer callBack(String key, String calledKey, OutsideAnswer.Done done) {
                return atProvider.refund(key, calledKey);
            }

            @Override
            public StepEffects within(@Nullable OutsideAnswer answer) {
                return effects(
                        () -> payments.take(saga(orderId), command, answer),
                        taken -> payments.refund(taken, answer),
                        "PaymentRefundNotNeeded.v1");
            }
        };
    }

    private void tell(
            String orderId, Direction direction, Answer answer, @Nullable String replyId, @Nullable String factId) {
        Map<String, String> attributes =
                Map.of("outcome", answer.outcome().name(), "type", answer.type(), "direction", direction.name());
        String body = new TreeMap<>(answer.data().values()).toString();
        if (replyId != null) {
            outbox.add(new OutboxMessage(
                    replyId, "order-saga", orderId + body, saga(orderId).toString(), attributes));
        }
        if (factId != null) {
            outbox.add(new OutboxMessage(factId, "order-events", orderId + body, null, attributes));
        }
    }

    private static SagaData command(String orderId) {
        return new SagaData(Map.of(
                "orderId",
                orderId,
                "customerId",
                "C-1",
                "amount",
                "19.90",
                "currency",
                "EUR",
                "items",
                List.of(Map.of("sku", "S-1", "quantity", 2)),
                "reservationId",
                saga(orderId).toString()));
    }

    private StepEffects effects(String orderId, String step) {
        UUID saga = saga(orderId);
        SagaData command = command(orderId);
        return switch (step) {
            case "payment" ->
                effects(
                        () -> payments.take(saga, command, null),
                        done -> payments.refund(done, null),
                        "PaymentRefundNotNeeded.v1");
            case "stock" ->
                effects(() -> inventory.reserve(saga, command), inventory::release, "StockReleaseNotNeeded.v1");
            case "shipping" ->
                effects(() -> shipping.arrange(saga, command), shipping::cancel, "ShipmentCancelNotNeeded.v1");
            default -> throw new IllegalArgumentException(step);
        };
    }

    private interface Action {
        ActionResult act();
    }

    private interface Undo {
        UndoResult undo(SagaData done);
    }

    private static StepEffects effects(Action action, Undo undo, String notNeeded) {
        return new StepEffects() {
            @Override
            public ActionResult act() {
                return action.act();
            }

            @Override
            public UndoResult undo(SagaData done) {
                return undo.undo(done);
            }

            @Override
            public String notNeeded() {
                return notNeeded;
            }
        };
    }

    @Override
    public Optional<Refusal> refusesPayment(String orderId, String customerId, Money amount) {
        return refusal(orderId, "payment");
    }

    @Override
    public Optional<Refusal> refusesStock(String orderId, List<Item> items) {
        return refusal(orderId, "stock");
    }

    @Override
    public Optional<Refusal> refusesShipping(String orderId, String customerId) {
        return refusal(orderId, "shipping");
    }

    private Optional<Refusal> refusal(String orderId, String step) {
        return refused.contains(orderId + "/" + step) ? Optional.of(new Refusal("NOT_TODAY")) : Optional.empty();
    }

    /** What the saga was told about an order, in the order of the commits. */
    List<Told> replies(String orderId) {
        return told("order-saga", orderId);
    }

    /** The different texts of what the saga was told about an order. */
    Set<String> bodies(String orderId) {
        return Set.copyOf(jdbc.sql("SELECT body FROM outbox WHERE queue = 'order-saga' AND body LIKE ? || '{%'")
                .param(orderId)
                .query(String.class)
                .list());
    }

    /** What everyone was told about an order, by type. */
    List<String> facts(String orderId) {
        return told("order-events", orderId).stream().map(Told::type).toList();
    }

    private List<Told> told(String queue, String orderId) {
        return jdbc.sql("""
                        SELECT queue, attributes->>'outcome' AS outcome, attributes->>'type' AS type FROM outbox
                        WHERE queue = ? AND body LIKE ? || '{%' ORDER BY id""")
                .params(queue, orderId)
                .query((row, number) -> new Told(
                        row.getString("queue"), ReplyOutcome.valueOf(row.getString("outcome")), row.getString("type")))
                .list();
    }

    /** How many rows there are of an order's fact. */
    int count(String table, String orderId) {
        String where = switch (table) {
            case "refund" -> "payment_id IN (SELECT payment_id FROM payment WHERE order_id = ?)";
            case "stock_release" ->
                "reservation_id IN (SELECT reservation_id FROM stock_reservation WHERE order_id = ?)";
            case "shipment_cancellation" -> "shipment_id IN (SELECT shipment_id FROM shipment WHERE order_id = ?)";
            default -> "order_id = ?";
        };
        return jdbc.sql("SELECT count(*) FROM " + table + " WHERE " + where)
                .param(orderId)
                .query(Integer.class)
                .single();
    }

    /** The carrier takes the order's parcel. */
    void dispatch(String orderId) {
        jdbc.sql("INSERT INTO shipment_dispatch SELECT shipment_id, now() FROM shipment WHERE order_id = ?")
                .param(orderId)
                .update();
    }

    Participation act(String orderId, String step) {
        return handle(orderId, step, DO, 1);
    }

    Participation undo(String orderId, String step) {
        return handle(orderId, step, Direction.UNDO, 1);
    }
}
