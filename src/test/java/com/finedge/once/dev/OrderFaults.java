package com.finedge.once.dev;

import com.finedge.once.contract.SagaCommand;
import com.finedge.once.contract.SagaMessage.Direction;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.UndoResult;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.model.BeanDefinition;
import org.apache.camel.spi.CamelContextCustomizer;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateSyncProcessor;
import org.jspecify.annotations.Nullable;

/**
 * What can be made to go wrong with the participants of an order, one step of one order at a time; a source of the
 * application that a test starts.
 *
 * <p>The effects are those of the routes: a fault stands around them, or in their place.
 */
public final class OrderFaults implements InterceptStrategy, CamelContextCustomizer {

    /** What can go wrong. */
    public sealed interface Fault {

        /** The action is refused: declined, out of stock, no carrier. */
        record Refuse(String type) implements Fault {}

        /** The step can't be undone any more. */
        record CannotUndo(String type) implements Fault {}

        /** The command is taken, and nothing is done and nothing answered. */
        record Silence() implements Fault {}

        /** The effect takes so long, its transaction open. */
        record Slow(Duration delay) implements Fault {}

        /** The effect fails so often, and then works. */
        record Fail(int times) implements Fault {}
    }

    private record Where(String orderId, String step, Direction direction) {}

    private final Map<Where, Fault> faults = new ConcurrentHashMap<>();
    private final CountDownLatch never = new CountDownLatch(1);

    /** Lets a step of an order go wrong from now on, in place of a fault set before. */
    public void set(String orderId, String step, Direction direction, Fault fault) {
        faults.put(new Where(orderId, step, direction), fault);
    }

    /** Lets it go well again. */
    public void clear(String orderId, String step, Direction direction) {
        faults.remove(new Where(orderId, step, direction));
    }

    @Override
    public void configure(CamelContext camel) {
        camel.getCamelContextExtension().addInterceptStrategy(this);
    }

    @Override
    public Processor wrapProcessorInInterceptors(CamelContext camel, NamedNode step, Processor target, Processor next) {
        if (!(step instanceof BeanDefinition bean)) {
            return target;
        }
        return switch (bean.getRef() + "." + bean.getMethod()) {
            case "participant.handle" -> new Around(target, this::isSilent);
            case String method when method.startsWith("order.") -> new Around(target, this::hasReplaced);
            default -> target;
        };
    }

    /** Whether a fault has taken the step's place. */
    @FunctionalInterface
    private interface Instead {
        boolean of(Exchange exchange) throws InterruptedException;
    }

    private static final class Around extends DelegateSyncProcessor {

        private final Instead instead;

        private Around(Processor step, Instead instead) {
            super(step);
            this.instead = instead;
        }

        @Override
        public boolean process(Exchange exchange, AsyncCallback callback) {
            try {
                if (!instead.of(exchange)) {
                    processor.process(exchange);
                }
            } catch (Exception e) {
                exchange.setException(e);
            }
            callback.done(true);
            return true;
        }
    }

    private boolean isSilent(Exchange exchange) {
        return fault(exchange) instanceof Fault.Silence;
    }

    private boolean hasReplaced(Exchange exchange) throws InterruptedException {
        return switch (fault(exchange)) {
            case Fault.Refuse(String type) -> {
                exchange.getMessage().setBody(new ActionResult.Refused(type, told(exchange)));
                yield true;
            }
            case Fault.CannotUndo(String type) -> {
                exchange.getMessage().setBody(new UndoResult.CannotUndo(type, told(exchange)));
                yield true;
            }
            case Fault.Slow(Duration delay) -> never.await(delay.toMillis(), TimeUnit.MILLISECONDS);
            case Fault.Fail(int times)
            when times > 0 -> {
                faults.put(where(exchange), new Fault.Fail(times - 1));
                throw new IllegalStateException("out of order, as a test has it");
            }
            case Fault.Fail ended -> false;
            case Fault.Silence silence -> false;
            case null -> false;
        };
    }

    private @Nullable Fault fault(Exchange exchange) {
        return faults.get(where(exchange));
    }

    private static Where where(Exchange exchange) {
        SagaCommand command = exchange.getVariable("command", SagaCommand.class);
        return new Where(command.businessKey(), command.step(), command.direction());
    }

    private static SagaData told(Exchange exchange) {
        return new SagaData(Map.of(
                "orderId", exchange.getVariable("command", SagaCommand.class).businessKey()));
    }
}
