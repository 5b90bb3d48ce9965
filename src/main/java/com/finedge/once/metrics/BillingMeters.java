package com.finedge.once.metrics;

import com.finedge.once.billing.BillingListener;
import com.finedge.once.billing.RaiseResult;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts how requests to raise a charge are answered. */
public final class BillingMeters implements BillingListener {

    private final MeterRegistry meters;

    public BillingMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void answered(RaiseResult result) {
        meters.counter(MeterNames.BILLING_REQUESTS, "result", tag(result)).increment();
    }

    private static String tag(RaiseResult result) {
        return switch (result) {
            case RaiseResult.Raised raised -> "raised";
            case RaiseResult.Repeated repeated -> "replayed";
            case RaiseResult.KeyReused reused -> "mismatch";
            case RaiseResult.InFlight inFlight -> "in-flight";
            case RaiseResult.ChargeExists exists -> "charge-exists";
        };
    }
}
