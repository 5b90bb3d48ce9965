package com.finedge.once.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.finedge.once.adapter.sqs.SqsDeadLetters;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.metrics.MeterNames;
import com.finedge.once.support.RunningOnce;
import com.finedge.once.support.SettableClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;

class DeadLetterWatchIT {

    private final RedriveBed bed = new RedriveBed();

    @Test
    void deadLettersAreSeenInMetersAndHealthAndHandedBack() {
        Map<String, String> settings = new HashMap<>(RedriveBed.SERVICES.properties(bed.resources));
        settings.put("once.dead-letters.watch", "200ms");
        bed.deadLetters.send("one");
        bed.deadLetters.send("two");
        RunningOnce once = RunningOnce.start(settings);
        try {
            MeterRegistry meters = once.bean(MeterRegistry.class);
            String queue = bed.resources.deadLetterQueue();
            await().ignoreException(MeterNotFoundException.class)
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(meters.get(MeterNames.DEAD_LETTERS)
                                    .tag("queue", queue)
                                    .gauge()
                                    .value())
                            .isEqualTo(2));
            assertThat(meters.get(MeterNames.DEAD_LETTERS_OLDEST)
                            .tag("queue", queue)
                            .gauge()
                            .value())
                    .isBetween(0.001, 60.0);
            var health = once.bean("deadLettersHealthIndicator", HealthIndicator.class)
                    .health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(String.valueOf(health.getDetails().get(queue))).contains("visible=2", "oldest=");

            bed.deadLetters.drain();
            await().ignoreException(MeterNotFoundException.class)
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(meters.get(MeterNames.DEAD_LETTERS)
                                    .tag("queue", queue)
                                    .gauge()
                                    .value())
                            .isZero());
        } finally {
            once.close();
        }
    }

    @Test
    void itWarnsAtTheFirstAndThenHourlyWhileTheQueueIsNotEmpty() {
        SettableClock clock = new SettableClock();
        SqsDeadLetters queue = new SqsDeadLetters(
                RedriveBed.SERVICES.sqs(), new SqsQueues(RedriveBed.SERVICES.sqs()), bed.resources.deadLetterQueue());
        DeadLetterWatch watch =
                new DeadLetterWatch(() -> List.of(queue), Duration.ofHours(1), clock, DeadLetterListener.NONE);
        Logger logger = (Logger) LoggerFactory.getLogger(DeadLetterWatch.class);
        ListAppender<ILoggingEvent> said = new ListAppender<>();
        said.start();
        logger.addAppender(said);
        // Another test's application may have quietened it.
        logger.setLevel(Level.INFO);
        try {
            watch.watch();
            assertThat(said.list).isEmpty();
            bed.deadLetters.send("dead");
            look(watch, queue);
            look(watch, queue);
            assertThat(said.list).hasSize(1);
            assertThat(said.list.getFirst().getFormattedMessage())
                    .startsWith("The dead-letter queue " + queue.name() + " holds 1 messages, the oldest seen since ");
            clock.advance(Duration.ofMinutes(59));
            look(watch, queue);
            assertThat(said.list).hasSize(1);
            clock.advance(Duration.ofMinutes(1));
            look(watch, queue);
            assertThat(said.list).hasSize(2);
        } finally {
            logger.setLevel(null);
            logger.detachAppender(said);
        }
    }

    /** Of a letter that is hidden there is nothing to warn of: the look before it must have handed it back. */
    private static void look(DeadLetterWatch watch, SqsDeadLetters queue) {
        RedriveRig.restsAt(queue, new Depth(1, 0));
        watch.watch();
        RedriveRig.restsAt(queue, new Depth(1, 0));
    }
}
