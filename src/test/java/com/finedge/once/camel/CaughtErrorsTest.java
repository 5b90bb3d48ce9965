package com.finedge.once.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProcessor;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.AsyncProcessorSupport;
import org.apache.camel.support.SynchronizationAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a step throws ends its exchange, once, and no step after it runs. */
class CaughtErrorsTest {

    private final DefaultCamelContext camel = new DefaultCamelContext();

    @AfterEach
    void close() throws Exception {
        camel.close();
    }

    static Stream<Arguments> steps() {
        Processor plain = exchange -> {
            throw new StackOverflowError("plain");
        };
        Processor afterASend = exchange -> {
            // A send within a step leaves Camel's queue of work in a state in which a report runs on at once.
            exchange.getContext().createProducerTemplate().sendBody("mock:within", "");
            throw new StackOverflowError("after a send");
        };
        AsyncProcessor beforeItsReport = new AsyncProcessorSupport() {
            @Override
            public boolean process(Exchange exchange, AsyncCallback callback) {
                throw new StackOverflowError("before its report");
            }
        };
        AsyncProcessor afterItsReport = new AsyncProcessorSupport() {
            @Override
            public boolean process(Exchange exchange, AsyncCallback callback) {
                callback.done(true);
                throw new StackOverflowError("after its report");
            }
        };
        AsyncProcessor anException = new AsyncProcessorSupport() {
            @Override
            public boolean process(Exchange exchange, AsyncCallback callback) {
                throw new IllegalStateException("an exception");
            }
        };
        return Stream.of(
                Arguments.of("plain", plain),
                Arguments.of("after a send", afterASend),
                Arguments.of("before its report", beforeItsReport),
                Arguments.of("after its report", afterItsReport),
                Arguments.of("an exception", anException));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steps")
    void whatAStepThrowsEndsItsExchangeAndNoStepAfterItRuns(String said, Processor step) throws Exception {
        camel.getCamelContextExtension().addInterceptStrategy(new CaughtErrors());
        camel.getShutdownStrategy().setTimeout(1);
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:start")
                        .errorHandler(noErrorHandler())
                        .threads()
                        .executorService(Executors.newVirtualThreadPerTaskExecutor())
                        .choice()
                        .when(constant(true))
                        .process(step)
                        .to("mock:after")
                        .end()
                        .to("mock:after");
            }
        });
        camel.start();
        CompletableFuture<Exchange> ended = new CompletableFuture<>();
        AtomicInteger ends = new AtomicInteger();

        var unused = camel.createProducerTemplate()
                .asyncSend(
                        "direct:start",
                        exchange -> exchange.getExchangeExtension().addOnCompletion(new SynchronizationAdapter() {
                            @Override
                            public void onDone(Exchange done) {
                                ends.incrementAndGet();
                                ended.complete(done);
                            }
                        }));

        assertThat(ended.get(5, TimeUnit.SECONDS).getException()).hasStackTraceContaining(said);
        assertThat(ends).hasValue(1);
        assertThat(camel.getEndpoint("mock:after", MockEndpoint.class).getReceivedCounter())
                .isZero();
        await().atMost(Duration.ofSeconds(5))
                .until(() -> camel.getInflightRepository().size() == 0);
    }
}
