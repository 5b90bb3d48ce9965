package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.finedge.once.claim.ClaimListener;
import com.finedge.once.claim.Claims;
import com.finedge.once.claim.InMemoryClaimStore;
import com.finedge.once.support.SettableClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.IdempotentRepository;
import org.apache.camel.support.processor.idempotent.MemoryIdempotentRepository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A message that is delivered again while its first delivery is at work: what Camel's {@code idempotentConsumer} makes
 * of it with the repository that comes with Camel, and what with ours.
 */
class InFlightDuplicateTest {

    private static final int LIMIT_SECONDS = 20;

    private final DefaultCamelContext camel = new DefaultCamelContext();
    private final ExecutorService consumers = Executors.newCachedThreadPool();
    private final MemoryQueue queue = new MemoryQueue();
    private final AtomicInteger effects = new AtomicInteger();

    @AfterEach
    void stop() {
        consumers.shutdownNow();
        camel.stop();
    }

    private static IdempotentRepository stock() {
        return new MemoryIdempotentRepository();
    }

    private static IdempotentRepository ours() {
        Claims claims = new Claims(
                new InMemoryClaimStore(),
                Duration.ofSeconds(30),
                Duration.ofDays(60),
                new SettableClock(),
                UUID::randomUUID,
                ClaimListener.NONE);
        return new LeaseIdempotentRepository(claims, "charge-recovery");
    }

    /** The pattern as its documentation shows it; a delivery brings its own effect. */
    private void skipDuplicatesBy(IdempotentRepository repository) throws Exception {
        start(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:charges")
                        .errorHandler(noErrorHandler())
                        .idempotentConsumer(body(), repository)
                        .completionEager(true)
                        .process(exchange -> effectOf(exchange).run());
            }
        });
    }

    /** The remedy that suggests itself: let duplicates in, and fail them so that they come back. */
    private void failDuplicatesBy(IdempotentRepository repository) throws Exception {
        start(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:charges")
                        .errorHandler(noErrorHandler())
                        .idempotentConsumer(body(), repository)
                        .completionEager(true)
                        .skipDuplicate(false)
                        .filter(exchangeProperty(Exchange.DUPLICATE_MESSAGE))
                        .throwException(IllegalStateException.class, "a duplicate: later")
                        .end()
                        .process(exchange -> effectOf(exchange).run());
            }
        });
    }

    private void start(RouteBuilder route) throws Exception {
        camel.addRoutes(route);
        camel.start();
    }

    private static Runnable effectOf(Exchange exchange) {
        return exchange.getProperty("effect", Runnable.class);
    }

    /** One consumer's turn: what completes is deleted, what fails is left to its visibility. */
    private boolean consume(Runnable effect) {
        String message = queue.receive();
        try (ProducerTemplate producer = camel.createProducerTemplate()) {
            Exchange exchange = producer.send("direct:charges", delivery -> {
                delivery.getMessage().setBody(message);
                delivery.setProperty("effect", effect);
            });
            boolean completed = !exchange.isFailed();
            if (completed) {
                queue.delete(message);
            }
            return completed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean consume() {
        return consume(effects::incrementAndGet);
    }

    /** A first delivery that is at work until it is told how to end. */
    private final class FirstDelivery {

        private final CountDownLatch atWork = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final Future<Boolean> completed;
        private volatile boolean fails;

        FirstDelivery() {
            completed = consumers.submit(() -> consume(() -> {
                atWork.countDown();
                await(mayEnd);
                if (fails) {
                    throw new IllegalStateException("the bank is down");
                }
                effects.incrementAndGet();
            }));
            await(atWork);
        }

        boolean fails() throws Exception {
            fails = true;
            return ends();
        }

        boolean ends() throws Exception {
            mayEnd.countDown();
            return completed.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                fail("nothing happened within %s seconds", LIMIT_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theStockRepositoryAcknowledgesADuplicateInFlightAndTheChargeIsLost() throws Exception {
        skipDuplicatesBy(stock());
        queue.send("CHG-1");
        FirstDelivery first = new FirstDelivery();

        queue.visibilityEnds();
        boolean duplicateCompleted = consume();
        boolean firstCompleted = first.fails();
        queue.visibilityEnds();

        assertThat(duplicateCompleted).isTrue();
        assertThat(firstCompleted).isFalse();
        assertThat(effects).hasValue(0);
        assertThat(queue.isEmpty()).as("nothing is left to try again").isTrue();
    }

    @Test
    void ourRepositoryAcknowledgesNoDuplicateInFlightAndTheChargeIsRecoveredOnce() throws Exception {
        skipDuplicatesBy(ours());
        queue.send("CHG-1");
        FirstDelivery first = new FirstDelivery();

        queue.visibilityEnds();
        boolean duplicateCompleted = consume();
        boolean firstCompleted = first.fails();
        queue.visibilityEnds();

        assertThat(duplicateCompleted).isFalse();
        assertThat(firstCompleted).isFalse();
        assertThat(effects).hasValue(0);

        assertThat(consume()).isTrue();
        assertThat(effects).hasValue(1);
        assertThat(queue.isEmpty()).isTrue();

        queue.send("CHG-1");
        assertThat(consume())
                .as("a duplicate of a recorded effect is acknowledged")
                .isTrue();
        assertThat(effects).hasValue(1);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void withTheStockRepositoryAFailingDuplicateRemovesTheOwnersKeyAndTheEffectHappensTwice() throws Exception {
        failDuplicatesBy(stock());
        queue.send("CHG-1");
        FirstDelivery first = new FirstDelivery();

        queue.visibilityEnds();
        assertThat(consume()).as("the duplicate").isFalse();
        queue.visibilityEnds();
        assertThat(consume()).as("the next one, which is none any more").isTrue();
        assertThat(first.ends()).isTrue();

        assertThat(effects).hasValue(2);
    }

    @Test
    void withOurRepositoryAFailingDuplicateTouchesNothingAndTheEffectHappensOnce() throws Exception {
        failDuplicatesBy(ours());
        queue.send("CHG-1");
        FirstDelivery first = new FirstDelivery();

        queue.visibilityEnds();
        assertThat(consume()).as("the duplicate").isFalse();
        queue.visibilityEnds();
        assertThat(consume()).as("the next one, a duplicate too").isFalse();
        assertThat(first.ends()).isTrue();

        assertThat(effects).hasValue(1);
        assertThat(queue.isEmpty()).isTrue();
    }
}
