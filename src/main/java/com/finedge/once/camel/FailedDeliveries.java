package com.finedge.once.camel;

import org.apache.camel.Exchange;
import org.apache.camel.component.aws2.sqs.Sqs2Constants;
import org.apache.camel.spi.ExceptionHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in one line that a delivery failed and its message is left on the queue. Camel's own handler prints a stack
 * trace a message, which at the rate of an outage buries everything else.
 */
public final class FailedDeliveries implements ExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(FailedDeliveries.class);

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
        if (exchange == null) {
            log.warn("{}: {}", message, causes(exception));
        } else {
            log.warn(
                    "message {}: this delivery failed, the message stays on the queue: {}",
                    exchange.getMessage().getHeader(Sqs2Constants.MESSAGE_ID),
                    causes(exception));
        }
        log.debug("the failure in full", exception);
    }

    private static String causes(@Nullable Throwable exception) {
        StringBuilder all = new StringBuilder();
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            all.append(all.isEmpty() ? "" : " < ").append(cause);
        }
        return all.toString();
    }
}
