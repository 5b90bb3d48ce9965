package com.finedge.once.metrics;

import com.finedge.once.charge.ChargeListener;
import com.finedge.once.contract.InvalidMessageException;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what happens to charges besides their claims. */
public final class ChargeMeters implements ChargeListener {

    private final MeterRegistry meters;

    public ChargeMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void refused(InvalidMessageException.Code code) {
        meters.counter(MeterNames.REFUSED, "code", code.name()).increment();
    }

    @Override
    public void deliveryFailed(boolean byClaimStore) {
        meters.counter(MeterNames.FAILED_DELIVERIES, "cause", byClaimStore ? "claim-store" : "other")
                .increment();
    }

    @Override
    public void notificationFailed() {
        meters.counter(MeterNames.NOTIFICATIONS_FAILED).increment();
    }
}
