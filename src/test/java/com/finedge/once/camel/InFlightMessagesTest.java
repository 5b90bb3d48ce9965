package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.apache.camel.Consumer;
import org.apache.camel.component.aws2.sqs.Sqs2Component;
import org.apache.camel.component.aws2.sqs.Sqs2Configuration;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InFlightMessagesTest {

    private final InFlightMessages inFlight = new InFlightMessages(25, this::backEnds);
    private volatile BackEnds.State backEnds = BackEnds.State.UP;
    private final Sqs2Endpoint endpoint = endpoint();
    private final Consumer consumer = new DefaultConsumer(endpoint, exchange -> {});
    private final CountDownLatch release = new CountDownLatch(1);

    private static Sqs2Endpoint endpoint() {
        Sqs2Component component = new Sqs2Component(new DefaultCamelContext());
        Sqs2Endpoint endpoint = new Sqs2Endpoint("aws2-sqs:charges", component, new Sqs2Configuration());
        endpoint.setMaxMessagesPerPoll(10);
        return endpoint;
    }

    private BackEnds.State backEnds() {
        return backEnds;
    }

    @BeforeEach
    void startConsumer() {
        consumer.start();
    }

    @AfterEach
    void letGo() {
        release.countDown();
        inFlight.shutdownNow();
    }

    private void handOn(int messages) {
        for (int i = 0; i < messages; i++) {
            inFlight.execute(() -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    @Test
    void aPollTakesRoomForAllThatItMayBringAndGivesBackWhatItDidNot() {
        assertThat(inFlight.begin(consumer, endpoint)).isTrue();
        assertThat(inFlight.free()).isEqualTo(15);
        handOn(3);
        inFlight.commit(consumer, endpoint, 3);

        assertThat(inFlight.free()).isEqualTo(22);
        release.countDown();
        await().atMost(Duration.ofSeconds(5)).until(() -> inFlight.free() == 25);
    }

    @Test
    void aPollThatFailsGivesEverythingBack() {
        inFlight.begin(consumer, endpoint);

        assertThat(inFlight.rollback(consumer, endpoint, 0, new IllegalStateException("SQS is down")))
                .isFalse();
        assertThat(inFlight.free()).isEqualTo(25);
    }

    /** Camel tells nobody of an Error that ends a poll, for instance a heap that is full for a moment. */
    @Test
    void aPollThatAnErrorEndedGivesTheRestBackBeforeTheNextOne() {
        inFlight.begin(consumer, endpoint);
        handOn(3);

        assertThat(inFlight.begin(consumer, endpoint)).isTrue();
        assertThat(inFlight.free()).isEqualTo(12);
    }

    @Test
    void noPollBeginsBeforeAllItMayBringCouldStart() throws Exception {
        for (int poll = 0; poll < 2; poll++) {
            inFlight.begin(consumer, endpoint);
            handOn(10);
            inFlight.commit(consumer, endpoint, 10);
        }
        assertThat(inFlight.free()).isEqualTo(5);

        try (var poller = Executors.newSingleThreadExecutor()) {
            Future<Boolean> third = poller.submit(() -> inFlight.begin(consumer, endpoint));
            assertThat(third).isNotDone();
            release.countDown();
            assertThat(third.get()).isTrue();
        }
    }

    @Test
    void aPollThatWaitedIntoTheStopDoesNotReceive() {
        consumer.stop();

        assertThat(inFlight.begin(consumer, endpoint)).isFalse();
        assertThat(inFlight.free()).isEqualTo(25);
    }

    @Test
    void aMessageWithoutReservedRoomIsRefused() {
        assertThatIllegalStateException().isThrownBy(() -> inFlight.execute(() -> {}));
    }

    @Test
    void aSlowMessageHoldsUpNoneOfItsBatch() {
        List<String> done = new ArrayList<>();
        inFlight.begin(consumer, endpoint);
        handOn(1);
        CountDownLatch others = new CountDownLatch(9);
        for (int i = 0; i < 9; i++) {
            inFlight.execute(() -> {
                synchronized (done) {
                    done.add(Thread.currentThread().toString());
                }
                others.countDown();
            });
        }
        inFlight.commit(consumer, endpoint, 10);

        await().atMost(Duration.ofSeconds(5)).until(() -> others.getCount() == 0);
        assertThat(done).hasSize(9).allMatch(thread -> thread.startsWith("VirtualThread"));
    }

    @Test
    void aThrowingMessageGivesItsRoomBack() {
        inFlight.begin(consumer, endpoint);
        var unused = inFlight.submit(() -> {
            throw new StackOverflowError("an Error, not an Exception");
        });
        inFlight.commit(consumer, endpoint, 1);

        await().atMost(Duration.ofSeconds(5)).until(() -> inFlight.free() == 25);
    }

    @Test
    void noPollBeginsWhileABackEndIsDown() {
        backEnds = BackEnds.State.DOWN;

        assertThat(inFlight.begin(consumer, endpoint)).isFalse();
        assertThat(inFlight.free()).isEqualTo(25);
    }

    @Test
    void aProbingPollIsAlone() throws Exception {
        backEnds = BackEnds.State.PROBING;
        assertThat(inFlight.begin(consumer, endpoint)).isTrue();
        assertThat(inFlight.free()).isZero();
        handOn(2);
        inFlight.commit(consumer, endpoint, 2);

        try (var poller = Executors.newSingleThreadExecutor()) {
            Future<Boolean> second = poller.submit(() -> inFlight.begin(consumer, endpoint));
            assertThat(second).isNotDone();
            release.countDown();
            assertThat(second.get()).isTrue();
        }
    }

    @Test
    void aPollThatWaitedIntoAnOutageDoesNotReceive() throws Exception {
        inFlight.begin(consumer, endpoint);
        handOn(10);
        inFlight.commit(consumer, endpoint, 10);
        inFlight.begin(consumer, endpoint);
        handOn(10);
        inFlight.commit(consumer, endpoint, 10);

        try (var poller = Executors.newSingleThreadExecutor()) {
            Future<Boolean> third = poller.submit(() -> inFlight.begin(consumer, endpoint));
            backEnds = BackEnds.State.DOWN;
            release.countDown();
            assertThat(third.get()).isFalse();
        }
        await().atMost(Duration.ofSeconds(5)).until(() -> inFlight.free() == 25);
    }

    @Test
    void aStopLetsNoPollBeginAndRefusesWhatARunningOneBrings() throws Exception {
        inFlight.begin(consumer, endpoint);
        handOn(1);
        inFlight.stop();

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> inFlight.execute(() -> {}));
        assertThat(inFlight.refused()).isEqualTo(1);
        assertThat(inFlight.awaitIdle(Duration.ofMillis(10))).isFalse();
        inFlight.commit(consumer, endpoint, 2);
        release.countDown();
        assertThat(inFlight.awaitIdle(Duration.ofSeconds(5))).isTrue();
        assertThat(inFlight.begin(consumer, endpoint)).isFalse();
    }
}
