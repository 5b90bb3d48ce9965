package com.finedge.once.camel;

import org.apache.camel.AsyncCallback;
import org.apache.camel.AsyncProcessor;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateAsyncProcessor;
import org.apache.camel.support.processor.DelegateSyncProcessor;

/**
 * Makes whatever a step throws the failure of its exchange, an {@link Error} too, so that its message returns.
 *
 * <p>Of a step that isn't a bean Camel catches exceptions only. An Error passes it, its exchange never ends, and its
 * message stays hidden until the heartbeat's ceiling. Worse, a step that is a plain {@link Processor} has by then
 * reported itself as done, and the next step may run as if all were well.
 */
public final class CaughtErrors implements InterceptStrategy {

    @Override
    public Processor wrapProcessorInInterceptors(CamelContext camel, NamedNode step, Processor target, Processor next) {
        return target instanceof AsyncProcessor async && !(target instanceof DelegateSyncProcessor)
                ? new Async(async)
                : new Sync(target);
    }

    /** Reports itself as done after it has caught, and not in a {@code finally} before. */
    private static final class Sync extends DelegateSyncProcessor {

        private Sync(Processor step) {
            super(step);
        }

        @Override
        public boolean process(Exchange exchange, AsyncCallback callback) {
            try {
                processor.process(exchange);
            } catch (Throwable e) {
                exchange.setException(e);
            }
            callback.done(true);
            return true;
        }
    }

    /** What it throws it may throw after its report, which is then queued behind this and meets the failure. */
    private static final class Async extends DelegateAsyncProcessor {

        private Async(AsyncProcessor step) {
            super(step);
        }

        @Override
        public boolean process(Exchange exchange, AsyncCallback callback) {
            Report report = new Report(callback);
            try {
                return super.process(exchange, report);
            } catch (Throwable e) {
                exchange.setException(e);
                if (!report.made) {
                    callback.done(true);
                }
                return true;
            }
        }
    }

    /** Knows whether it was made. */
    private static final class Report implements AsyncCallback {

        private final AsyncCallback callback;
        private boolean made;

        private Report(AsyncCallback callback) {
            this.callback = callback;
        }

        @Override
        public void done(boolean doneSync) {
            made = true;
            callback.done(doneSync);
        }
    }
}
