package com.finedge.once.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.finedge.once.adapter.postgres.PostgresOutbox;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.adapter.sqs.SqsSender;
import com.finedge.once.dev.LocalResources;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.dev.PostgresServer;
import com.finedge.once.retry.BackOff;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.OnceProcess;
import com.finedge.once.support.Queue;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import software.amazon.awssdk.services.sqs.model.Message;

/** Relays in processes of their own that are killed, paused and stopped between a send and its mark. */
class RelayCrashIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final LocalResources resources = SERVICES.fresh();
    private final PostgresServer.Database database = SERVICES.postgres().fresh().migrated();
    private final DataSource dataSource = database.dataSource();
    private final JdbcClient jdbc = JdbcClient.create(dataSource);
    private final PostgresOutbox outbox = new PostgresOutbox(dataSource);
    private final TransactionTemplate transaction =
            new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    private final Queue queue = Queue.named(SERVICES.sqs(), resources.queue());
    private final FaultProxy proxy =
            FaultProxy.before(URI.create(SERVICES.properties().getOrDefault("once.aws.sqs-endpoint", "")));

    @AfterEach
    void close() {
        proxy.close();
    }

    /** Short of what it needs for nothing else than the times of the test. */
    private OnceProcess process(String callTimeout, String lease) {
        Map<String, String> settings = new HashMap<>(SERVICES.properties(resources));
        settings.putAll(database.properties());
        settings.put("once.roles", "billing");
        settings.put("once.aws.sqs-endpoint", proxy.endpoint().toString());
        settings.put("once.aws.call-timeout", callTimeout);
        settings.put("once.outbox.lease", lease);
        settings.put("once.outbox.batch", "10");
        settings.put("spring.datasource.hikari.maximum-pool-size", "6");
        return OnceProcess.start(settings);
    }

    /** What runs on while another is killed or paused; in this process, so that it is there at once. */
    private Relay relayHere() {
        return new Relay(
                outbox,
                new SqsSender(SERVICES.sqs(), new SqsQueues(SERVICES.sqs()), Duration.ofSeconds(5)),
                10,
                Duration.ofSeconds(30),
                3,
                new BackOff(Duration.ofSeconds(1), Duration.ofMinutes(1)),
                UUID::randomUUID,
                new Random(1),
                new OutboxListener() {});
    }

    private void add(Stream<String> ids) {
        transaction.executeWithoutResult(status -> ids.forEach(
                id -> outbox.add(new OutboxMessage(id, resources.queue(), "body of " + id, null, Map.of()))));
    }

    private static Stream<String> ids(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + "-" + i);
    }

    private int sent() {
        return jdbc.sql("SELECT count(*) FROM outbox WHERE state = 'SENT'")
                .query(Integer.class)
                .single();
    }

    private @Nullable Object sentAs(String id) {
        return jdbc.sql("SELECT sent_as FROM outbox WHERE event_id = ?")
                .param(id)
                .query()
                .singleRow()
                .get("sent_as");
    }

    private FaultProxy.Faulty whoseAnswerIsHeld(String id) {
        FaultProxy.Faulty held = proxy.on("SendMessageBatch").with(id).times(1).delayAnswer(Duration.ofMinutes(1));
        add(Stream.of(id));
        await().atMost(LONGEST).pollInterval(Duration.ofMillis(5)).until(() -> held.hits() == 1);
        return held;
    }

    /** The ids of the events on the queue, each with the queue's ids of its messages. */
    private Map<String, List<String>> onTheQueue() {
        return queue.drain().stream()
                .collect(Collectors.groupingBy(
                        message -> Queue.attribute(message, OutboxMessage.ID_ATTRIBUTE),
                        Collectors.mapping(Message::messageId, Collectors.toList())));
    }

    private static void eachOnceBut(String twice, Map<String, List<String>> messages) {
        assertThat(messages.get(twice)).as(twice).hasSize(2).doesNotHaveDuplicates();
        messages.forEach((event, ids) -> assertThat(ids).as(event).hasSize(event.equals(twice) ? 2 : 1));
    }

    @Test
    void aRelayKilledBetweenSendAndMarkCostsOneDuplicateAfterItsLease() {
        try (OnceProcess doomed = process("2400ms", "5s").awaitStart()) {
            add(ids("before", 30));
            await().atMost(LONGEST).until(() -> sent() == 30);
            whoseAnswerIsHeld("in-between");

            doomed.kill();
        }
        add(ids("after", 30));

        Relay successor = relayHere();
        successor.relay(() -> {});
        assertThat(sent()).as("all but what the dead one still holds").isEqualTo(60);
        await().atMost(Duration.ofSeconds(15)).until(() -> {
            successor.relay(() -> {});
            return sent() == 61;
        });

        Map<String, List<String>> messages = onTheQueue();
        assertThat(messages).hasSize(61);
        eachOnceBut("in-between", messages);
        assertThat(messages.get("in-between")).contains((String) sentAs("in-between"));
    }

    /** Its lease is ended here and not waited for: paused for longer than its own call may take, it would not try to mark. */
    @Test
    void aRelayPausedPastItsLeaseMarksNothingAndGoesOn() {
        try (OnceProcess paused = process("20s", "41s").awaitStart()) {
            FaultProxy.Faulty held = whoseAnswerIsHeld("in-between");
            paused.signal("STOP");
            jdbc.sql("UPDATE outbox SET due_at = now() - interval '1 s'").update();
            relayHere().relay(() -> {});
            Object sentBySuccessor = sentAs("in-between");
            assertThat(sentBySuccessor).isNotNull();

            held.end();
            paused.signal("CONT");
            paused.awaitLine("messages were sent after their lease had ended");
            add(ids("after", 30));
            await().atMost(LONGEST).until(() -> sent() == 31);

            assertThat(sentAs("in-between")).isEqualTo(sentBySuccessor);
            Map<String, List<String>> messages = onTheQueue();
            assertThat(messages).hasSize(31);
            eachOnceBut("in-between", messages);
        }
    }

    @Test
    void threeRelaysStoppedInTheMiddleOfAThousandMessagesSendNoneTwice() {
        try (OnceProcess one = process("20s", "41s");
                OnceProcess two = process("20s", "41s");
                OnceProcess three = process("20s", "41s")) {
            List<OnceProcess> all = List.of(one, two, three);
            all.forEach(OnceProcess::awaitStart);
            FaultProxy.Faulty slow = proxy.on("SendMessageBatch").delayAnswer(Duration.ofMillis(200));
            add(ids("e", 1_000));
            await().atMost(LONGEST).pollInterval(Duration.ofMillis(10)).until(() -> sent() >= 200);
            slow.end();
            FaultProxy.Faulty slower = proxy.on("SendMessageBatch").delayAnswer(Duration.ofSeconds(3));
            await().atMost(LONGEST).pollInterval(Duration.ofMillis(10)).until(() -> slower.hits() >= 3);

            CompletableFuture.allOf(all.stream()
                            .map(process -> CompletableFuture.runAsync(process::terminate))
                            .toArray(CompletableFuture[]::new))
                    .join();

            assertThat(all)
                    .as("left to its lease")
                    .noneMatch(process -> process.said("The relay stops in the middle of a round"));
            int sent = sent();
            assertThat(sent).as("stopped in the middle").isLessThan(1_000);
            assertThat(queue.size()).as("on the queue, all of them marked").isEqualTo(sent);
        }
        Relay again = relayHere();
        again.relay(() -> {});

        assertThat(sent()).as("nothing waits for a lease").isEqualTo(1_000);
        Map<String, List<String>> messages = onTheQueue();
        assertThat(messages).hasSize(1_000);
        assertThat(messages).allSatisfy((event, ids) -> assertThat(ids).hasSize(1));
    }
}
