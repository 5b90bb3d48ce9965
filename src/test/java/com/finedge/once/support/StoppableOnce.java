package com.finedge.once.support;

import com.finedge.once.OnceApplication;
import java.util.concurrent.CountDownLatch;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateAsyncProcessor;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.builder.SpringApplicationBuilder;

/**
 * The application, made to stand still after a step of a route: {@code once.test.stand-still-after} names the step.
 * Whoever started it then kills it there.
 */
public final class StoppableOnce {

    private StoppableOnce() {}

    public static void main(String[] args) {
        new SpringApplicationBuilder(OnceApplication.class, StandStill.class).run(args);
    }

    /** Says that the step is done, and lets the message go no further. */
    static final class StandStill implements InterceptStrategy {

        private final String step;

        StandStill(@Value("${once.test.stand-still-after:}") String step) {
            this.step = step;
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
                        forEver();
                        callback.done(done);
                    });
                }
            };
        }

        private static void forEver() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
