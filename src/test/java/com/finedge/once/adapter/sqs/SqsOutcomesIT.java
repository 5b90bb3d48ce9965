package com.finedge.once.adapter.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import com.finedge.once.adapter.json.ChargeOutcomeJson;
import com.finedge.once.contract.ChargeFailed;
import com.finedge.once.contract.ChargeOutcome;
import com.finedge.once.dev.LocalAws;
import com.finedge.once.dev.LocalServices;
import com.finedge.once.support.FaultProxy;
import com.finedge.once.support.Queue;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** The ends of charges on a real queue. */
class SqsOutcomesIT {

    private static final LocalServices SERVICES = LocalServices.shared();
    private static final ChargeOutcomeJson JSON = new ChargeOutcomeJson();

    private final FaultProxy proxy =
            FaultProxy.before(URI.create(SERVICES.properties().getOrDefault("once.aws.sqs-endpoint", "")));
    private final SqsClient sqs = LocalAws.sqs(proxy.endpoint());
    private final SqsMessages messages =
            new SqsMessages(new BlockingBatchCalls(sqs, Duration.ofSeconds(5)), Duration.ofSeconds(5));
    private final String name = "outcomes-" + UUID.randomUUID();
    private final SqsOutcomes outcomes =
            new SqsOutcomes(messages, new SqsQueues(sqs), name, JSON::write, Duration.ofSeconds(5), Map::of);
    private Queue queue = new Queue(SERVICES.sqs(), "");

    @BeforeEach
    void createQueue() {
        SERVICES.sqs().createQueue(request -> request.queueName(name));
        queue = Queue.named(SERVICES.sqs(), name);
    }

    @AfterEach
    void close() {
        messages.close();
        sqs.close();
        proxy.close();
    }

    private static ChargeOutcome failed(String chargeId) {
        return ChargeFailed.of(chargeId, 1, "INSUFFICIENT_FUNDS", "rejected", Instant.parse("2026-03-01T10:00:00Z"));
    }

    private boolean allPublished(int count) throws Exception {
        List<Callable<Boolean>> all = IntStream.range(0, count)
                .<Callable<Boolean>>mapToObj(i -> () -> outcomes.publish(failed("CHG-" + i)))
                .toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            boolean published = true;
            for (Future<Boolean> one : threads.invokeAll(all)) {
                published &= one.get();
            }
            return published;
        }
    }

    @Test
    void anOutcomeIsOnTheQueueWhenItIsPublished() {
        assertThat(outcomes.publish(failed("CHG-1"))).isTrue();

        assertThat(queue.drain()).extracting(Message::body).containsExactly(JSON.write(failed("CHG-1")));
    }

    @Test
    void outcomesAtTheSameTimeShareTheirCalls() throws Exception {
        FaultProxy.Faulty calls = proxy.on("SendMessageBatch").delay(Duration.ofMillis(1));

        assertThat(allPublished(100)).isTrue();

        assertThat(queue.drain()).hasSize(100);
        assertThat(calls.hits()).isLessThanOrEqualTo(20);
    }

    @Test
    void anEntryThatFailsIsSentAgain() throws Exception {
        proxy.on("SendMessageBatch").times(1).failFirstEntry();

        assertThat(allPublished(10)).isTrue();

        assertThat(queue.drain())
                .extracting(message -> JSON.read(message.body()).eventId())
                .contains(IntStream.range(0, 10)
                        .mapToObj(i -> failed("CHG-" + i).eventId())
                        .toArray(String[]::new));
    }

    @Test
    void whatTheQueueDoesNotTakeIsNotPublished() {
        proxy.on("SendMessageBatch").answer(403, "AccessDenied");

        assertThat(outcomes.publish(failed("CHG-1"))).isFalse();
    }

    @Test
    void withoutTheQueueNothingIsPublished() {
        SqsOutcomes nowhere = new SqsOutcomes(
                messages, new SqsQueues(sqs), "no-such-queue", JSON::write, Duration.ofSeconds(5), Map::of);

        assertThat(nowhere.publish(failed("CHG-1"))).isFalse();
    }
}
