package com.finedge.once.support;

import com.finedge.once.OnceApplication;
import com.finedge.once.charge.NotificationPort;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateAsyncProcessor;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * The application, made to stand still after a step of a route: {@code once.test.stand-still-after} names the step.
 * Whoever started it then kills it there, or pauses it for longer than {@code once.test.stand-still-for}, after which it
 * goes on. Or made to fill its heap with a charge: {@code once.test.fill-heap-with} names it. Or to end by itself at a
 * {@link HaltingPoint}.
 */
public final class StoppableOnce {

    private StoppableOnce() {}

    public static void main(String[] args) {
        endWithWhoeverStartedThis();
        new SpringApplicationBuilder(
                        OnceApplication.class,
                        StandStill.class,
                        HeapFiller.class,
                        OrderWeather.class,
                        HaltingDatabase.class)
                .run(args);
    }

    /** The other end of this pipe is held by the test: when it is gone, by whatever cause, so is this. */
    private static void endWithWhoeverStartedThis() {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (System.in.read() >= 0) {
                    // Nothing is ever sent.
                }
            } catch (IOException e) {
                // Gone as well.
            }
            Runtime.getRuntime().halt(1);
        });
    }

    /** Says that the step is done, and lets the message go no further. */
    static final class StandStill implements InterceptStrategy {

        private final String step;
        private final Duration time;

        StandStill(
                @Value("${once.test.stand-still-after:}") String step,
                @Value("${once.test.stand-still-for:1d}") Duration time) {
            this.step = step;
            this.time = time;
        }

        @Override
        public Processor wrapProcessorInInterceptors(
                CamelContext camel, NamedNode node, Processor target, Processor next) {
            if (!step.equals(node.getId())) {
                return target;
            }
            return new DelegateAsyncProcessor(target) {
                @Override
                public boolean process(Exchange exchange, AsyncCallback callback) {
                    return super.process(exchange, done -> {
                        System.out.println("standing still after " + step);
                        standStill();
                        callback.done(done);
                    });
                }
            };
        }

        private void standStill() {
            try {
                new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Needs all the memory there is to notify the customer of that charge, bit by bit as a real leak does. */
    static final class HeapFiller implements BeanPostProcessor, EnvironmentAware {

        private static final int BIT = 256 * 1024;
        private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

        private String chargeId = "";

        @Override
        public void setEnvironment(Environment environment) {
            chargeId = environment.getProperty("once.test.fill-heap-with", "");
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (!(bean instanceof NotificationPort notifications)) {
                return bean;
            }
            return (NotificationPort) notification -> {
                if (notification.charge().id().value().equals(chargeId)) {
                    fillTheHeap();
                }
                return notifications.send(notification);
            };
        }

        private static void fillTheHeap() {
            System.out.println("filling the heap");
            Object[] heap = {};
            while (true) {
                heap = new Object[] {heap, new byte[BIT]};
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
