package com.finedge.once.dev;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Shows the sentence of a {@link ServiceStartException} in place of a stack trace. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ServiceStartFailureAnalyzer extends AbstractFailureAnalyzer<ServiceStartException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ServiceStartException cause) {
        return new FailureAnalysis(cause.getMessage(), null, cause);
    }
}
