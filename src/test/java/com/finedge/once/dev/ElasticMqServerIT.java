package com.finedge.once.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;

class ElasticMqServerIT {

    @Test
    void theQueueUrlItReturnsLeadsToTheQueue() {
        try (var server = ElasticMqServer.start(0);
                var sqs = LocalAws.sqs(server.endpoint())) {
            String url = sqs.createQueue(r -> r.queueName("q")).queueUrl();

            sqs.sendMessage(r -> r.queueUrl(url).messageBody("hello"));

            assertThat(server.endpoint().getHost()).isEqualTo("127.0.0.1");
            assertThat(url).isEqualTo(server.endpoint() + "/000000000000/q");
            assertThat(sqs.receiveMessage(r -> r.queueUrl(url)).messages())
                    .extracting(Message::body)
                    .containsExactly("hello");
        }
    }

    @Test
    void twoServersShareNothing() {
        try (var one = ElasticMqServer.start(0);
                var other = ElasticMqServer.start(0);
                var sqsOfOne = LocalAws.sqs(one.endpoint());
                var sqsOfOther = LocalAws.sqs(other.endpoint())) {
            sqsOfOne.createQueue(r -> r.queueName("q"));

            assertThat(sqsOfOther.listQueues().queueUrls()).isEmpty();
        }
    }

    @Test
    void itStopsAtOnceWhileAClientWaitsForMessagesAndThePortIsFreeAgain() {
        ElasticMqServer server = ElasticMqServer.start(0);
        try (var sqs = LocalAws.sqs(server.endpoint())) {
            String url = sqs.createQueue(r -> r.queueName("q")).queueUrl();
            var poll = CompletableFuture.runAsync(
                    () -> sqs.receiveMessage(r -> r.queueUrl(url).waitTimeSeconds(20)));
            Awaitility.await().pollDelay(Duration.ofMillis(500)).until(() -> !poll.isDone());

            long start = System.nanoTime();
            server.close();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        }
        ElasticMqServer.start(server.endpoint().getPort()).close();
    }

    @Test
    void aPortThatIsTakenIsSaidInOneSentence() {
        try (var first = ElasticMqServer.start(0)) {
            int port = first.endpoint().getPort();

            assertThatExceptionOfType(ServiceStartException.class)
                    .isThrownBy(() -> ElasticMqServer.start(port))
                    .withMessage(
                            "ElasticMQ (SQS) can't start: port %d on 127.0.0.1 is taken by another process.", port);
        }
    }
}
