package com.finedge.once.dev;

import org.jspecify.annotations.Nullable;

/** A development-time service can't start; the message is one sentence for the person at the terminal. */
public final class ServiceStartException extends RuntimeException {

    ServiceStartException(String message) {
        this(message, null);
    }

    ServiceStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    static ServiceStartException portTaken(String service, int port) {
        return new ServiceStartException(
                "%s can't start: port %d on 127.0.0.1 is taken by another process.".formatted(service, port));
    }
}
