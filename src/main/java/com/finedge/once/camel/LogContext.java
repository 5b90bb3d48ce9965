package com.finedge.once.camel;

import com.finedge.once.adapter.opentelemetry.Traces;
import java.util.UUID;
import org.slf4j.MDC;

/**
 * What each line in the log that is written on a message's thread says beside its text: whose message, charge and saga it is
 * about, and the trace. Keys and ids only, and each of a form that can't hold a line break. The message's span says them too.
 */
final class LogContext {

    private static final String MESSAGE_ID = "messageId";
    private static final String CHARGE_ID = "chargeId";
    private static final String SAGA_ID = "sagaId";
    private static final String TRACE_ID = "trace.id";

    /** Version, dash, and then the trace's 32 digits. */
    private static final int TRACE_ID_FROM = 3;

    private static final int TRACE_ID_TO = 35;

    private LogContext() {}

    /** The message that this thread begins to handle. */
    static void message(ReceivedMessage message) {
        clear();
        MDC.put(MESSAGE_ID, message.id());
        if (message.traceparent() != null) {
            MDC.put(TRACE_ID, message.traceparent().substring(TRACE_ID_FROM, TRACE_ID_TO));
        }
    }

    /** The charge that it is about. */
    static void charge(String chargeId) {
        MDC.put(CHARGE_ID, chargeId);
        Traces.charge(chargeId);
    }

    /** The saga that it is for. */
    static void saga(UUID sagaId) {
        MDC.put(SAGA_ID, sagaId.toString());
        Traces.saga(sagaId.toString());
    }

    /** The message has ended; its thread may get another one. */
    static void clear() {
        MDC.remove(MESSAGE_ID);
        MDC.remove(CHARGE_ID);
        MDC.remove(SAGA_ID);
        MDC.remove(TRACE_ID);
    }
}
