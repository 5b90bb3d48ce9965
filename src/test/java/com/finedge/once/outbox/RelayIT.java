package com.finedge.once.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.adapter.postgres.PostgresOutbox;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.adapter.sqs.SqsSender;
import com.finedge.once.dev.LocalAws;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.metrics.OutboxMeters;
import com.finedge.once.retry.BackOff;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.Queue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** What a relay makes of each answer that a queue may give. */
class RelayIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int MAX_ATTEMPTS = 3;

    private final PostgresServer.Database database = SERVICES.postgres().fresh().migrated();
    private final DataSource dataSource = database.dataSource();
    private final JdbcClient jdbc = JdbcClient.create(dataSource);
    private final PostgresOutbox outbox = new PostgresOutbox(dataSource);
    private final TransactionTemplate transaction =
            new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    private final FaultProxy proxy =
            FaultProxy.before(URI.create(SERVICES.properties().getOrDefault("once.aws.sqs-endpoint", "")));
    private final SqsClient sqs = LocalAws.sqs(proxy.endpoint());
    private final String queueName = "relayed-" + UUID.randomUUID();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicInteger more = new AtomicInteger();
    private Queue queue = new Queue(SERVICES.sqs(), "");

    @BeforeEach
    void createQueue() {
        SERVICES.sqs().createQueue(request -> request.queueName(queueName));
        queue = Queue.named(SERVICES.sqs(), queueName);
    }

    @AfterEach
    void close() {
        sqs.close();
        proxy.close();
    }

    private Relay relay() {
        return relay(100);
    }

    private Relay relay(int most) {
        return new Relay(
                outbox,
                new SqsSender(sqs, new SqsQueues(sqs), Duration.ofSeconds(5)),
                most,
                LEASE,
                MAX_ATTEMPTS,
                new BackOff(Duration.ofSeconds(1), Duration.ofMinutes(1)),
                UUID::randomUUID,
                new Random(1),
                new OutboxMeters(meters));
    }

    private void send(Relay relay) {
        relay.relay(more::incrementAndGet);
    }

    private void add(OutboxMessage... messages) {
        transaction.executeWithoutResult(status -> List.of(messages).forEach(outbox::add));
    }

    private void add(int count) {
        add(messages(count).toArray(OutboxMessage[]::new));
    }

    private Stream<OutboxMessage> messages(int count) {
        return IntStream.range(0, count).mapToObj(i -> message("e-" + i, "body " + i));
    }

    private OutboxMessage message(String id, String body) {
        return new OutboxMessage(id, queueName, body, null, Map.of());
    }

    private OutboxMessage ordered(String id, String key) {
        return new OutboxMessage(id, queueName, "body of " + id, key, Map.of());
    }

    private void makeAllDue() {
        jdbc.sql("UPDATE outbox SET due_at = now() - interval '1 s' WHERE state = 'PENDING'")
                .update();
    }

    private List<String> inState(String state) {
        return jdbc.sql("SELECT event_id FROM outbox WHERE state = ? ORDER BY id")
                .param(state)
                .query(String.class)
                .list();
    }

    private double count(String meter) {
        return meters.get(meter).counter().count();
    }

    private static List<String> bodies(List<Message> messages) {
        return messages.stream().map(Message::body).toList();
    }

    private static Map<String, String> attributes(Message message) {
        return message.messageAttributes().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, attribute -> attribute.getValue().stringValue()));
    }

    @Test
    void aMessageCarriesItsBodyItsIdAndItsAttributes() {
        String traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        add(new OutboxMessage("e-1", queueName, "{\"ü\":1}", null, Map.of("traceparent", traceparent)));

        send(relay());

        List<Message> sent = queue.drain();
        assertThat(bodies(sent)).containsExactly("{\"ü\":1}");
        assertThat(attributes(sent.get(0))).isEqualTo(Map.of("eventId", "e-1", "traceparent", traceparent));
        assertThat(inState("SENT")).containsExactly("e-1");
        assertThat(jdbc.sql("SELECT sent_as FROM outbox").query(String.class).single())
                .isEqualTo(sent.get(0).messageId());
    }

    @Test
    void hundredsAreSentByTens() {
        add(235);

        send(relay());

        assertThat(queue.drain()).hasSize(235);
        assertThat(inState("SENT")).hasSize(235);
        assertThat(count(MeterNames.OUTBOX_SENT)).isEqualTo(235);
        assertThat(more).as("calls for help, one for each full round").hasValue(2);
    }

    @Test
    void anEntryThatFailsIsSentAgainAloneAndItsNeighboursAreNot() {
        add(10);
        proxy.on("SendMessageBatch").times(1).failEntry(3, false);

        send(relay());

        assertThat(inState("PENDING")).containsExactly("e-3");
        assertThat(count(MeterNames.OUTBOX_FAILED)).isEqualTo(1);
        assertThat(jdbc.sql("SELECT last_error FROM outbox WHERE event_id = 'e-3'")
                        .query(String.class)
                        .single())
                .isEqualTo("InternalError");

        makeAllDue();
        send(relay());

        assertThat(inState("SENT")).hasSize(10);
        // The proxy let the fourth through and said that it had failed: an answer of SQS is all there is to go by.
        assertThat(bodies(queue.drain()))
                .hasSize(11)
                .filteredOn("body 3"::equals)
                .hasSize(2);
        assertThat(count(MeterNames.OUTBOX_RESENT)).isEqualTo(1);
    }

    @Test
    void anEntryThatIsTheSendersFaultIsParkedAtOnce() {
        add(10);
        proxy.on("SendMessageBatch").times(1).failEntry(3, true);

        send(relay());

        assertThat(inState("PARKED")).containsExactly("e-3");
        assertThat(inState("SENT")).hasSize(9);
        assertThat(count(MeterNames.OUTBOX_PARKINGS)).isEqualTo(1);
    }

    @Test
    void anEntryThatTheAnswerForgetsIsNotTakenForSent() {
        add(10);
        proxy.on("SendMessageBatch").times(1).omitEntry(6);

        send(relay());

        assertThat(inState("PENDING")).containsExactly("e-6");
        assertThat(inState("SENT")).hasSize(9);
    }

    @Test
    void oneBatchOfThreeThatThrowsIsSentAgainAndTheOthersAreNot() {
        add(30);
        proxy.on("SendMessageBatch").with("body 15").answer(500, "InternalFailure");

        send(relay());

        assertThat(inState("SENT")).hasSize(20);
        assertThat(inState("PENDING")).hasSize(10).contains("e-15");
    }

    @Test
    void anOutageParksNothingHoweverLongItLasts() {
        add(3);
        FaultProxy.Faulty outage = proxy.on("SendMessageBatch").answer(503, "ServiceUnavailable");
        for (int round = 0; round < MAX_ATTEMPTS + 2; round++) {
            send(relay());
            makeAllDue();
        }
        assertThat(inState("PENDING")).hasSize(3);

        outage.end();
        send(relay());

        assertThat(inState("SENT")).hasSize(3);
    }

    @Test
    void whatAQueueRefusesIsParkedWhenTheAttemptsAreSpent() {
        add(1);
        proxy.on("SendMessageBatch").answer(403, "AccessDenied");
        for (int attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
            send(relay());
            assertThat(inState("PENDING")).as("after attempt %s", attempt).hasSize(1);
            makeAllDue();
        }
        send(relay());

        assertThat(inState("PARKED")).containsExactly("e-0");
        assertThat(jdbc.sql("SELECT last_error FROM outbox").query(String.class).single())
                .isEqualTo("AccessDenied");
    }

    @Test
    void aBatchThatIsRefusedForOneMessageIsSentMessageByMessage() {
        add(10);
        proxy.on("SendMessageBatch").with("body 4").answer(400, "InvalidMessageContents");

        send(relay());

        assertThat(inState("PARKED")).containsExactly("e-4");
        assertThat(inState("SENT")).hasSize(9);
        assertThat(bodies(queue.drain())).hasSize(9).doesNotContain("body 4");
    }

    @Test
    void aBodyOverTheLimitIsParkedAlone() {
        add(message("small-1", "s1"), message("huge", "x".repeat(SqsSender.MOST_BYTES)), message("small-2", "s2"));

        send(relay());

        assertThat(inState("PARKED")).containsExactly("huge");
        assertThat(bodies(queue.drain())).containsExactlyInAnyOrder("s1", "s2");
    }

    @Test
    void batchesAreCutByBytesAsTheyAreByTens() {
        String large = "ü".repeat(60_000);
        add(IntStream.range(0, 10).mapToObj(i -> message("e-" + i, i + large)).toArray(OutboxMessage[]::new));

        send(relay());

        assertThat(inState("SENT")).hasSize(10);
        assertThat(queue.drain()).hasSize(10);
    }

    @Test
    void messagesOfAKeyAreSentOneAfterAnotherInOneGo() {
        add(ordered("e-1", "A"), ordered("e-2", "A"), ordered("e-3", "A"), ordered("f-1", "B"));

        send(relay());

        assertThat(inState("SENT")).containsExactly("e-1", "e-2", "e-3", "f-1");
        assertThat(jdbc.sql("SELECT event_id FROM outbox WHERE order_key = 'A' ORDER BY sent_at")
                        .query(String.class)
                        .list())
                .containsExactly("e-1", "e-2", "e-3");
    }

    @Test
    void aPoisonedKeyHoldsBackItselfOnly() {
        add(
                ordered("e-1", "poison"),
                ordered("e-2", "poison"),
                ordered("f-1", "good"),
                ordered("f-2", "good"),
                message("g-1", "no key"));
        proxy.on("SendMessageBatch").with("body of e-1").answer(400, "InvalidMessageContents");

        send(relay());

        assertThat(inState("SENT")).containsExactly("f-1", "f-2", "g-1");
        assertThat(inState("PARKED")).containsExactly("e-1");
        assertThat(inState("PENDING")).containsExactly("e-2");
    }

    @Test
    void aQueueThatIsMissingIsNoTroubleToOthers() {
        add(new OutboxMessage("lost", "no-such-queue", "x", null, Map.of()), message("e-1", "y"));

        send(relay());

        assertThat(inState("SENT")).containsExactly("e-1");
        assertThat(inState("PENDING")).containsExactly("lost");
    }

    @Test
    void aMessageMarkedTooLateIsLeftToItsSuccessor() throws Exception {
        add(1);
        FaultProxy.Faulty held = proxy.on("SendMessageBatch").times(1).delayAnswer(Duration.ofMinutes(1));
        CountDownLatch ended = new CountDownLatch(1);
        Relay late = relay();
        Thread.ofVirtual().start(() -> {
            send(late);
            ended.countDown();
        });
        await().until(() -> held.hits() == 1);
        makeAllDue();

        send(relay());
        assertThat(inState("SENT")).containsExactly("e-0");
        String sentAs =
                jdbc.sql("SELECT sent_as FROM outbox").query(String.class).single();
        held.end();
        ended.await();

        assertThat(jdbc.sql("SELECT sent_as FROM outbox").query(String.class).single())
                .isEqualTo(sentAs);
        assertThat(count(MeterNames.OUTBOX_LEASE_LOST)).isEqualTo(1);
        assertThat(queue.drain())
                .as("the same event, twice on the queue")
                .extracting(RelayIT::attributes)
                .containsExactly(Map.of("eventId", "e-0"), Map.of("eventId", "e-0"));
    }

    @Test
    void aStopWaitsUntilWhatIsSentIsMarked() throws Exception {
        add(1);
        FaultProxy.Faulty held = proxy.on("SendMessageBatch").times(1).delayAnswer(Duration.ofMillis(700));
        Relay relay = relay();
        Thread.ofVirtual().start(() -> send(relay));
        await().until(() -> held.hits() == 1);

        relay.stop(Duration.ofSeconds(10));

        assertThat(inState("SENT")).containsExactly("e-0");
        add(message("later", "x"));
        send(relay);
        assertThat(inState("PENDING")).as("after the stop").containsExactly("later");
    }

    @Test
    void theBacklogIsShownByItsMeters() {
        add(message("e-1", "x"), message("huge", "x".repeat(SqsSender.MOST_BYTES)));
        Relay relay = relay();
        send(relay);
        add(message("e-2", "x"));
        jdbc.sql("UPDATE outbox SET added_at = now() - interval '90 s'").update();

        relay.measure();

        assertThat(meters.get(MeterNames.OUTBOX_PENDING).gauge().value()).isEqualTo(1);
        assertThat(meters.get(MeterNames.OUTBOX_PARKED).gauge().value()).isEqualTo(1);
        assertThat(meters.get(MeterNames.OUTBOX_OLDEST_PENDING).gauge().value()).isBetween(90.0, 120.0);
    }

    @Test
    void theQueuesOwnLimitIsKeptToTheByte() {
        int attribute = "eventId".length() + "String".length() + "e-1".length();
        add(message("e-1", "x".repeat(SqsSender.MOST_BYTES - attribute)));
        sqs.setQueueAttributes(request -> request.queueUrl(queue.url())
                .attributes(Map.of(QueueAttributeName.MAXIMUM_MESSAGE_SIZE, Integer.toString(SqsSender.MOST_BYTES))));

        send(relay());

        assertThat(inState("SENT")).containsExactly("e-1");
    }
}
