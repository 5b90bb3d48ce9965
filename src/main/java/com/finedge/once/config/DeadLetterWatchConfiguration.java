package com.finedge.once.config;

import com.finedge.once.adapter.sqs.SqsDeadLetters;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.config.WatchedQueues.Watched;
import com.finedge.once.deadletter.DeadLetterListener;
import com.finedge.once.deadletter.DeadLetterQueue;
import com.finedge.once.deadletter.DeadLetterWatch;
import com.finedge.once.deadletter.Standing;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** What the route watch-dead-letters names; each role watches the dead letters of what it consumes. */
@Configuration(proxyBeanMethods = false)
class DeadLetterWatchConfiguration {

    @Bean
    WatchedQueues watchedQueues(
            OnceProperties once, ChargesProperties charges, OrdersProperties orders, SagasProperties sagas) {
        return WatchedQueues.of(once.roles(), charges, orders, sagas);
    }

    @Bean
    DeadLetterChecks deadLetterChecks(WatchedQueues watched, SqsQueues queues) {
        return new DeadLetterChecks(watched, queues);
    }

    @Bean
    DeadLetterWatch deadLetterWatch(
            WatchedQueues watched,
            SqsClient sqs,
            SqsQueues queues,
            DeadLettersProperties deadLetters,
            InstantSource clock,
            DeadLetterListener listener) {
        return new DeadLetterWatch(
                () -> watched.all().stream()
                        .flatMap(one -> name(one, queues))
                        .distinct()
                        .map(name -> (DeadLetterQueue) new SqsDeadLetters(sqs, queues, name))
                        .toList(),
                deadLetters.warnEvery(),
                clock,
                listener);
    }

    private static Stream<String> name(Watched one, SqsQueues queues) {
        if (one.deadLetters() != null) {
            return Stream.of(one.deadLetters());
        }
        try {
            return Optional.ofNullable(queues.named(one.queue()).deadLetterQueue()).stream();
        } catch (QueueDoesNotExistException e) {
            return Stream.empty();
        }
    }

    /** Always up: dead letters want a person, and a restart helps nobody. */
    @Bean
    HealthIndicator deadLettersHealthIndicator(DeadLetterWatch watch) {
        return () -> {
            Health.Builder health = Health.up();
            for (Standing standing : watch.standings()) {
                Map<String, Object> details = new LinkedHashMap<>();
                details.put("visible", standing.depth().visible());
                details.put("hidden", standing.depth().hidden());
                if (standing.oldest() != null) {
                    details.put("oldest", standing.oldest().toString());
                }
                details.put("seenAt", standing.at().toString());
                health.withDetail(standing.queue(), details);
            }
            return health.build();
        };
    }
}
