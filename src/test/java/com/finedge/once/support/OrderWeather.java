package com.finedge.once.support;

import com.finedge.once.adapter.json.SagaReplyJson;
import com.finedge.once.camel.ReceivedMessage;
import com.finedge.once.contract.InvalidMessageException;
import com.finedge.once.contract.SagaCommand;
import com.finedge.once.contract.SagaMessage.Direction;
import com.finedge.once.contract.SagaReply;
import com.finedge.once.saga.ActionResult;
import com.finedge.once.saga.SagaData;
import com.finedge.once.saga.UndoResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.AsyncCallback;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Processor;
import org.apache.camel.model.BeanDefinition;
import org.apache.camel.spi.CamelContextCustomizer;
import org.apache.camel.spi.InterceptStrategy;
import org.apache.camel.support.processor.DelegateSyncProcessor;
import org.springframework.beans.factory.annotation.Value;

/**
 * What goes wrong with orders by chance, where {@code once.test.order-weather} is {@code bad}. What an order's fate is, such
 * as that its payment is declined, follows from its id, so that every process sees it the same; what befalls one delivery is
 * drawn.
 */
final class OrderWeather implements InterceptStrategy, CamelContextCustomizer {

    private static final Map<String, String> REFUSALS =
            Map.of("payment", "PaymentDeclined.v1", "stock", "StockUnavailable.v1", "shipping", "ShippingFailed.v1");

    /** The steps whose silence makes an order turn back; the last one would be waited for for ever. */
    private static final List<String> MAY_BE_MUTE = List.of("payment", "stock", "shipping");

    private static final Duration SLOW = Duration.ofMillis(1_500);

    private final SagaReplyJson replies = new SagaReplyJson();
    private final boolean bad;

    OrderWeather(@Value("${once.test.order-weather:fair}") String weather) {
        bad = weather.equals("bad");
    }

    @Override
    public void configure(CamelContext camel) {
        if (bad) {
            camel.getCamelContextExtension().addInterceptStrategy(this);
        }
    }

    @Override
    public Processor wrapProcessorInInterceptors(CamelContext camel, NamedNode step, Processor target, Processor next) {
        if (!bad || !(step instanceof BeanDefinition bean)) {
            return target;
        }
        return switch (bean.getRef() + "." + bean.getMethod()) {
            // Taken, and nothing done or answered.
            case "participant.handle" -> new Around(target, exchange -> percent(4));
            case String method when method.startsWith("order.") -> new Around(target, this::isReplaced);
            // An answer that never comes.
            case "saga.apply" -> new Around(target, this::isLost);
            default -> target;
        };
    }

    @FunctionalInterface
    private interface Instead {
        boolean of(Exchange exchange);
    }

    /** Before the step and after it an exception may come: nothing of it was done, or all of it was but that it is known. */
    private static final class Around extends DelegateSyncProcessor {

        private final Instead instead;

        private Around(Processor step, Instead instead) {
            super(step);
            this.instead = instead;
        }

        @Override
        public boolean process(Exchange exchange, AsyncCallback callback) {
            try {
                throwSometimes();
                if (!instead.of(exchange)) {
                    processor.process(exchange);
                }
                throwSometimes();
            } catch (Exception e) {
                exchange.setException(e);
            }
            callback.done(true);
            return true;
        }
    }

    private static void throwSometimes() {
        if (percent(3)) {
            throw new IllegalStateException("bad weather");
        }
    }

    private boolean isReplaced(Exchange exchange) {
        if (percent(2)) {
            LockSupport.parkNanos(SLOW.toNanos());
        }
        SagaCommand command = Objects.requireNonNull(exchange.getVariable("command", SagaCommand.class));
        String order = command.businessKey();
        String refusal = REFUSALS.get(command.step());
        if (command.direction() == Direction.DO && refusal != null && fate(order, command.step(), "refused", 10)) {
            exchange.getMessage().setBody(new ActionResult.Refused(refusal, told(order)));
            return true;
        }
        if (command.direction() == Direction.UNDO
                && command.step().equals("shipping")
                && fate(order, command.step(), "dispatched", 50)) {
            exchange.getMessage()
                    .setBody(new UndoResult.CannotUndo(
                            "ShipmentAlreadyDispatched.v1",
                            Objects.requireNonNull(exchange.getVariable("done", SagaData.class))));
            return true;
        }
        return false;
    }

    private boolean isLost(Exchange exchange) {
        try {
            SagaReply reply =
                    replies.read(Objects.requireNonNull(exchange.getVariable("message", ReceivedMessage.class))
                            .body());
            boolean mute = reply.direction() == Direction.DO
                    && MAY_BE_MUTE.contains(reply.step())
                    && fate(reply.businessKey(), reply.step(), "mute", 6);
            return mute || percent(4);
        } catch (InvalidMessageException e) {
            // No answer, but an order or a wish to cancel it.
            return false;
        }
    }

    private static SagaData told(String orderId) {
        return new SagaData(Map.of("orderId", orderId));
    }

    private static boolean percent(int percent) {
        return ThreadLocalRandom.current().nextInt(100) < percent;
    }

    /** The same in every process. */
    private static boolean fate(String order, String step, String what, int percent) {
        return Math.floorMod(Objects.hash(order, step, what) * 0x9E3779B9, 10_007) % 100 < percent;
    }
}
