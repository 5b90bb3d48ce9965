package com.finedge.once.camel;

import com.finedge.once.adapter.sqs.SqsMessages;
import com.finedge.once.adapter.sqs.SqsQueues;
import com.finedge.once.charge.ChargeListener;
import com.finedge.once.claim.ClaimResult;
import com.finedge.once.claim.ClaimStoreException;
import com.finedge.once.claim.Heartbeat;
import com.finedge.once.retry.BackOff;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import org.apache.camel.Exchange;
import org.apache.camel.component.aws2.sqs.Sqs2Constants;
import org.apache.camel.component.aws2.sqs.Sqs2Endpoint;
import org.apache.camel.spi.ExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a message whose delivery failed: it stays on the queue and comes back after a back-off by the number
 * of its receives, or at once where it could not even be started.
 *
 * <p>Says so in one line. Camel's own handler prints a stack trace a message, which at the rate of an outage buries
 * everything else.
 */
public final class FailedDeliveries implements ExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(FailedDeliveries.class);

    private static final String REPORTED = "once.failedDelivery";

    private final SqsMessages messages;
    private final SqsQueues queues;
    private final Heartbeat heartbeat;
    private final BackOff backOff;
    private final RandomGenerator random;
    private final ChargeListener listener;

    public FailedDeliveries(
            SqsMessages messages,
            SqsQueues queues,
            Heartbeat heartbeat,
            BackOff backOff,
            RandomGenerator random,
            ChargeListener listener) {
        this.messages = messages;
        this.queues = queues;
        this.heartbeat = heartbeat;
        this.backOff = backOff;
        this.random = random;
        this.listener = listener;
    }

    @Override
    public void handleException(Throwable exception) {
        handleException("a poll failed", null, exception);
    }

    @Override
    public void handleException(String message, Throwable exception) {
        handleException(message, null, exception);
    }

    @Override
    public void handleException(String message, @Nullable Exchange exchange, @Nullable Throwable exception) {
        ReceivedMessage delivered = exchange == null ? null : delivered(exchange);
        if (exchange != null && delivered != null) {
            left(exchange, delivered, exception);
        } else {
            log.warn("{}: {}", message, causes(exception));
        }
        log.debug("the failure in full", exception);
    }

    /** The message, kept or not yet; it has left the endpoint it came from where a route has handed it over. */
    private static @Nullable ReceivedMessage delivered(Exchange exchange) {
        ReceivedMessage kept = exchange.getVariable("message", ReceivedMessage.class);
        return kept == null
                        && exchange.getFromEndpoint() instanceof Sqs2Endpoint endpoint
                        && exchange.getMessage().getHeader(Sqs2Constants.RECEIPT_HANDLE) != null
                ? ReceivedMessage.of(exchange, endpoint.getConfiguration().getQueueName())
                : kept;
    }

    private void left(Exchange exchange, ReceivedMessage message, @Nullable Throwable exception) {
        // Camel's consumer reports a failed exchange twice: when it ends, and when its callback is called.
        if (exchange.getProperty(REPORTED) != null) {
            return;
        }
        exchange.setProperty(REPORTED, true);
        heartbeat.letGo(message.receiptHandle());
        boolean notStarted = exception instanceof RejectedExecutionException;
        Duration delay = notStarted ? Duration.ZERO : backOff.after(message.receives(), random);
        if (isStillOurs(exchange)) {
            messages.hide(queues.named(message.queue()).url(), message.receiptHandle(), message.id(), delay);
        }
        if (!notStarted) {
            listener.deliveryFailed(isOfTheClaimStore(exception));
            log.warn("{}: this delivery failed, the message stays on the queue: {}", message, causes(exception));
        }
    }

    /** Behind a lost claim another delivery is at work, whose visibility isn't ours to change. */
    private static boolean isStillOurs(Exchange exchange) {
        return !(exchange.getVariable("claim") instanceof ClaimResult.Acquired acquired)
                || !acquired.claim().isLost();
    }

    private static boolean isOfTheClaimStore(@Nullable Throwable exception) {
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            if (cause instanceof ClaimStoreException) {
                return true;
            }
        }
        return false;
    }

    private static String causes(@Nullable Throwable exception) {
        StringBuilder all = new StringBuilder();
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            all.append(all.isEmpty() ? "" : " < ").append(cause);
        }
        return all.toString();
    }
}
