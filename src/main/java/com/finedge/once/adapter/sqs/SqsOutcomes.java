package com.finedge.once.adapter.sqs;

import com.finedge.once.charge.OutcomePort;
import com.finedge.once.contract.ChargeOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes the ends of charges to a queue, many at a time in one call, and waits until the queue has its own. */
public final class SqsOutcomes implements OutcomePort {

    private static final Logger log = LoggerFactory.getLogger(SqsOutcomes.class);

    private final SqsMessages messages;
    private final SqsQueues queues;
    private final String queue;
    private final Function<ChargeOutcome, String> writer;
    private final Duration longest;
    private final Supplier<Map<String, String>> more;

    /**
     * @param longest how long to wait for the queue's answer, well below the lease of a claim
     * @param more attributes that go along with the outcome published on this thread, such as its trace
     */
    public SqsOutcomes(
            SqsMessages messages,
            SqsQueues queues,
            String queue,
            Function<ChargeOutcome, String> writer,
            Duration longest,
            Supplier<Map<String, String>> more) {
        this.messages = messages;
        this.queues = queues;
        this.queue = queue;
        this.writer = writer;
        this.longest = longest;
        this.more = more;
    }

    @Override
    public boolean publish(ChargeOutcome outcome) {
        Map<String, String> attributes = new HashMap<>(more.get());
        attributes.put("eventId", outcome.eventId());
        attributes.put("eventType", outcome.eventType());
        try {
            messages.send(queues.named(queue).url(), writer.apply(outcome), attributes)
                    .get(longest.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            log.warn(
                    "{}: {} can't be published to {}: {}",
                    outcome.chargeId(),
                    outcome.eventType(),
                    queue,
                    e.toString());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
